import { describe, expect, it } from 'vitest'
import { shelfOrder } from './skill-shelf.ts'

const skill = (name: string, description: string) => ({ name, description, path: name })
const skills = [
  skill('bake-bread', 'Sourdough at home'),
  skill('deploy-web', 'Ship the web application to production'),
  skill('invoices', 'Write and send invoices'),
  skill('triage', 'Sort incoming bug reports'),
]
const names = (loaded: readonly string[], said: string) =>
  shelfOrder(skills, loaded, said).map(
    ({ skill: { name }, loaded: isLoaded, relevant }) => `${name}${isLoaded ? '!' : relevant ? '+' : ''}`,
  )

describe('shelfOrder', () => {
  it('puts the newest loaded skill first, then what was talked about', () => {
    expect(names(['triage', 'invoices'], 'Ship the web application, the production deployment is late')).toEqual([
      'invoices!',
      'triage!',
      'deploy-web+',
      'bake-bread',
    ])
  })

  it('does not take one word in common for a subject', () => {
    expect(names([], 'The production of cheese')).toEqual(['deploy-web', 'bake-bread', 'invoices', 'triage'])
  })

  it.each([
    ['two words of many', 'Ship the whole web application to production weekly', 'The web production'],
    ['one word of two', 'Bake bread', 'We bake'],
  ])('takes %s in common for a subject', (_, description, said) => {
    expect(shelfOrder([skill('', description)], [], said)[0]?.relevant).toBe(true)
  })

  it.each([
    ['one word of three', 'Bake rye bread', 'We bake'],
    ['no word', 'Bake bread', 'Something else'],
    ['nothing to compare', 'the', 'the'],
  ])('takes %s in common for none', (_, description, said) => {
    expect(shelfOrder([skill('', description)], [], said)[0]?.relevant).toBe(false)
  })

  it('does not depend on the order of the library', () => {
    const said = 'Ship the web application'
    const turned = shelfOrder([...skills].reverse(), [], said).map(({ skill: { name } }) => name)
    expect(turned).toEqual(shelfOrder(skills, [], said).map(({ skill: { name } }) => name))
  })
})
