import { describe, expect, test } from 'vitest'
import { ok } from '../shared/result.ts'
import { findLost } from './make-room.ts'
import type { MemoryOp } from './memory-op.ts'
import { planChange } from './plan-change.ts'

const lost = (before: readonly string[], ...ops: readonly MemoryOp[]) => {
  const planned = planChange(before, { target: 'memory', charLimit: 9_000, batch: ops.length > 1, ops: ops.map(ok) })
  if (!planned.ok) throw planned.error
  return findLost(before, planned.value)
}

const replace = (oldText: string, content: string): MemoryOp => ({ action: 'replace', oldText, content })
const remove = (oldText: string): MemoryOp => ({ action: 'remove', oldText })
const add = (content: string): MemoryOp => ({ action: 'add', content })

describe('what a change loses', () => {
  test('is what a remove takes away, and what a replace takes away with its replacement', () => {
    expect(lost(['a', 'b'], remove('a'))).toEqual([{ text: 'a' }])
    expect(lost(['a', 'b'], replace('a', 'c'))).toEqual([{ text: 'a', replacedBy: 'c' }])
  })

  test('is nothing if something is added, put again or only spaced otherwise', () => {
    expect(lost(['a'], add('b'))).toEqual([])
    expect(lost(['a'], add('a'))).toEqual([])
    expect(lost(['a', 'b'], replace('a', 'a'))).toEqual([])
    expect(lost(['a', 'b'], remove('a'), add('a'))).toEqual([])
    expect(lost(['Likes  tea\nand milk'], replace('tea', 'Likes tea and milk'))).toEqual([])
    expect(lost(['Likes tea'], replace('tea', 'Likes te a'))).toEqual([{ text: 'Likes tea', replacedBy: 'Likes te a' }])
  })

  test('is only what stood there before, with the last of several replacements', () => {
    expect(lost(['a', 'z'], replace('a', 'b1'), replace('b1', 'c1'))).toEqual([{ text: 'a', replacedBy: 'c1' }])
    expect(lost(['a', 'z'], add('b'), remove('b'), remove('a'))).toEqual([{ text: 'a' }])
    expect(lost(['a', 'z'], replace('a', 'b1'), replace('b1', 'a'))).toEqual([])
    expect(lost(['a', 'z'], replace('a', 'b1'), remove('b1'))).toEqual([{ text: 'a' }])
  })

  test('in a merge names the entry that says it all', () => {
    const merged = 'Drinks green tea, never coffee, and lives in Oslo.'
    const ops = [replace('Drinks', merged), remove('Lives in')]
    expect(lost(['Drinks green tea, never coffee.', 'Lives in Oslo', 'Owns a cat'], ...ops)).toEqual([
      { text: 'Drinks green tea, never coffee.', replacedBy: merged },
      { text: 'Lives in Oslo', replacedBy: merged },
    ])
    expect(lost(['Lives in Oslo', 'Olives in Oslo grow'], remove('Lives'))).toEqual([{ text: 'Lives in Oslo' }])
    expect(lost(['!!!', 'Owns a cat'], remove('!!!'))).toEqual([{ text: '!!!' }])
  })

  test.each<[string, string, boolean]>([
    ['a single word', 'Vegan', true],
    ['a clause, with marks alone after its end', 'Says: "Eats no meat."', true],
    ['all clauses in another order', 'Vegan, says: eats no meat', true],
    ['all words, but not in their order', 'Eats vegan meat, says no', false],
    ['one clause of two, and all words of the other', 'Vegan, says meat', false],
    ['one clause of two', 'Vegan, lives in Oslo', false],
  ])('names the entry that contains %s only if it says it all', (_, text, isSaid) => {
    const other = 'He says: eats no meat (is vegan)'
    expect(lost([text, other], remove(text))).toEqual([isSaid ? { text, replacedBy: other } : { text }])
  })

  test('names no replacement if several replace each other in a circle', () => {
    expect(lost(['a', 'z'], replace('a', 'b1'), replace('b1', 'a'), remove('a'))).toEqual([{ text: 'a' }])
  })
})
