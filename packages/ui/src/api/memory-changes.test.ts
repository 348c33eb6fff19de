import { describe, expect, it } from 'vitest'
import { entriesAfter, findEntry } from './memory-changes.ts'

const ENTRIES = ['Uses pnpm 12', 'Uses pnpm 12 in CI', 'Lives in Oslo', 'Lives in Oslo']

describe('findEntry', () => {
  it.each([
    ['an equal entry before one that contains it', 'Uses pnpm 12', 'Uses pnpm 12', undefined],
    ['the only one that contains it', 'in CI', 'Uses pnpm 12 in CI', undefined],
    ['the first of two that are the same', 'Oslo', 'Lives in Oslo', undefined],
    ['none of several', 'pnpm', 'pnpm', '2 entries hold the text that it changes.'],
    ['none', 'Bergen', 'Bergen', 'The entry that it changes is no longer there.'],
  ])('finds %s', (_what, oldText, before, problem) => {
    expect(findEntry(ENTRIES, { action: 'remove', oldText })).toEqual({ before, ...(problem === undefined ? {} : { problem }) })
  })

  it('knows an entry that is there already', () => {
    expect(findEntry(ENTRIES, { action: 'add', content: ' Lives in Oslo ' }).problem).toBe('The same entry is already there.')
    expect(findEntry(ENTRIES, { action: 'add', content: 'New' })).toEqual({ before: '' })
  })
})

it('applies the operations of a group one after the other', () => {
  expect(entriesAfter(['a', 'b'], { action: 'add', content: 'c' }, '')).toEqual(['a', 'b', 'c'])
  expect(entriesAfter(['a', 'b'], { action: 'replace', oldText: 'a', content: 'c' }, 'a')).toEqual(['c', 'b'])
  expect(entriesAfter(['a', 'a'], { action: 'remove', oldText: 'a' }, 'a')).toEqual(['a'])
})
