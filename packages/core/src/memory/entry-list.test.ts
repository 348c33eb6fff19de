import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { dedupeEntries, findUnstableEntry, joinEntries, locateEntry, splitEntries } from './memory-document.ts'

describe('splitting', () => {
  test.each<[string, readonly string[]]>([
    ['', []],
    ['a\n§\nb', ['a', 'b']],
    ['a § b', ['a § b']],
    ['A\n§\n§\nB', ['A', '§\nB']],
    ['\n§\n a \n§\n\n§\n', ['a']],
    ['\u0085a\u001f\n§\n\uFEFFb', ['a', '\uFEFFb']],
  ])('%j gives %j', (text, entries) => {
    expect(splitEntries(text)).toEqual(entries)
  })

  test('gives back what was joined, exactly if no entry is reported as unstable', () => {
    const entry = fc.array(fc.constantFrom('a', '§', '\n', ' ', '😀'), { minLength: 1, maxLength: 6 }).map((parts) => parts.join('').trim())
    const storable = entry.filter((text) => text !== '' && !text.includes('\n§\n'))
    fc.assert(
      fc.property(fc.array(storable, { maxLength: 5 }), (entries) => {
        const readBack = splitEntries(joinEntries(entries))
        expect(JSON.stringify(readBack) === JSON.stringify(entries)).toBe(findUnstableEntry(entries) === undefined)
      }),
      { seed: 7, numRuns: rounds(500) },
    )
  })
})

describe('locating', () => {
  const entries = ['tea', 'drinks tea daily', 'coffee', 'coffee']

  test('an equal entry wins over one that contains the text', () => {
    expect(locateEntry(entries, 'tea')).toEqual({ kind: 'found', index: 0 })
  })

  test('identical matches give the first', () => {
    expect(locateEntry(entries, 'coff')).toEqual({ kind: 'found', index: 2 })
  })

  test('different matches are ambiguous; without a match the result is none', () => {
    expect(locateEntry(entries, 'ea')).toEqual({ kind: 'ambiguous', matches: ['tea', 'drinks tea daily'] })
    expect(locateEntry(entries, 'Tea')).toEqual({ kind: 'none' })
  })
})

test('of equal entries the first stays', () => {
  expect(dedupeEntries(['b', 'a', 'b'])).toEqual(['b', 'a'])
})
