import { describe, expect, it } from 'vitest'
import { holdsFact, holdsWord } from './outcomes.ts'

describe('a word in a text', () => {
  it.each([
    ['Name: Ada', 'ada', true],
    ['Uses the adapter', 'ada', false],
    ['Lives in Setúbal', 'setubal', true],
    ['Lives in Setubal', 'Setúbal', true],
    ['is allergic to walnuts', 'allerg*', true],
    ['has an allergy', 'allerg*', true],
    ['Runs  make\nverify', 'make verify', true],
    ['port 17070', '7070', false],
    ['Builds with C++ and make', 'c++', true],
    ['大阪で料理人をしている', '*大阪*', true],
    ['大阪で料理人をしている', '大阪', false],
    ['Prefers brief answers', 'short|brief|concise', true],
    ['Prefers long answers', 'short|brief|concise', false],
    ['Nadia’s rota', "nadia's", true],
  ])('%j holds %j: %s', (text, word, expected) => {
    expect(holdsWord(text, word)).toBe(expected)
  })
})

describe('a fact in a text', () => {
  it('needs all of its words and none of the others', () => {
    const stale = { all: ['lives|living', 'lisbon'], none: ['moved'] }
    expect(holdsFact('Lives in Lisbon', stale)).toBe(true)
    expect(holdsFact('Lives in Porto', stale)).toBe(false)
    expect(holdsFact('Moved away from Lisbon, lives in Porto', stale)).toBe(false)
  })
})
