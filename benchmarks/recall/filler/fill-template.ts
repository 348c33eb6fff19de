/** Fills the blanks of a template; every blank anew, so that two of a kind may differ. */
import type { SeededRandom } from '../seeded-random.ts'
import { ADJECTIVES, NOUNS, VERBS } from './vocabulary.ts'
import { WORDS } from './words.ts'

export interface Exchange {
  readonly user: string
  readonly assistant: string
}

const LONG_TAIL: Readonly<Record<string, readonly string[]>> = { noun: NOUNS, adj: ADJECTIVES, verb: VERBS }

const wordFor = (name: string, random: SeededRandom): string => {
  const tail = LONG_TAIL[name]
  if (tail !== undefined) return random.pickSkewed(tail)
  const words = WORDS[name]
  if (words === undefined) throw new TypeError(`There are no words for {${name}}.`)
  return random.pick(words)
}

const fill = (template: string, chosen: ReadonlyMap<string, string>, random: SeededRandom): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => chosen.get(name) ?? wordFor(name, random))

/** The answer takes up the words of the request. */
export const fillExchange = (template: string, random: SeededRandom): Exchange => {
  const [request = '', answer = ''] = template.split(' | ')
  const chosen = new Map<string, string>()
  for (const [, name = ''] of request.matchAll(/\{(\w+)\}/g)) chosen.set(name, wordFor(name, random))
  return { user: fill(request, chosen, random), assistant: fill(answer, chosen, random) }
}
