/** Which screen is shown, from the part of the address after `#`: `#/why?text=…`. */
import { signal } from '@preact/signals'

export const SCREENS = ['overview', 'inbox', 'prompt', 'why', 'timeline', 'skills', 'ledger'] as const

export type Screen = (typeof SCREENS)[number]

export interface Route {
  readonly screen: Screen
  readonly params: Readonly<Record<string, string>>
}

const readRoute = (hash: string): Route => {
  const [name = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const screen = SCREENS.find((each) => each === name) ?? 'overview'
  return { screen, params: Object.fromEntries(new URLSearchParams(query)) }
}

export const route = signal<Route>(readRoute(location.hash))

addEventListener('hashchange', () => {
  route.value = readRoute(location.hash)
})

export const hashOf = (screen: Screen, params: Readonly<Record<string, string>> = {}): string => {
  const query = new URLSearchParams(params).toString()
  return `#/${screen}${query === '' ? '' : `?${query}`}`
}

export const go = (screen: Screen, params?: Readonly<Record<string, string>>): void => {
  location.hash = hashOf(screen, params)
}
