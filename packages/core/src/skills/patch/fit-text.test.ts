import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findLineRuns, findSequence, findText } from './find-text.ts'
import { adoptIndentOf, keepTypography as keepWithin } from './fit-text.ts'
import { toPlainTypography } from './lines.ts'
import { areSimilar, matchingBlocks, similarityRatio, toCodePoints } from './similarity.ts'

const keepTypography = (region: string, newText: string, left = 1e6) => keepWithin(region, newText, { left })
const plain = (text: string) => toPlainTypography(text).text
const typographic = fc.string({
  unit: fc.constantFrom('a', 'b', '-', '.', '"', ' ', '“', '’', '—', '–', '…', '\u00a0', '😀'),
  maxLength: 30,
})

it('writes quotes, dashes, the ellipsis, the minus and all spaces plainly and nothing else', () => {
  expect(plain('“a” ‘b’ – — … − \u00a0\u2009\u202f\u3000')).toBe('"a" \'b\' - -- ... -     ')
  expect(plain('a\u200bb é 全角')).toBe('a\u200bb é 全角')
})

it('keeps what did not change as the file has it', () => {
  expect(keepTypography('“quoted” — text…', '"quoted" -- words...')).toBe('“quoted” — words…')
  expect(keepTypography('a — b — c', 'x -- b -- y')).toBe('x — b — y')
  expect(keepTypography('“a” — b — “c”', '"a" x -- b -- y "c"', 0)).toBe('“a” x -- b -- y “c”')
})

it('writes the half of a dash that an edit leaves as the new text has it', () => {
  expect(keepTypography('a — b', 'a - b')).toBe('a - b')
})

it('never changes what the new text says, and leaves an unchanged region alone', () => {
  fc.assert(
    fc.property(typographic, typographic, (region, newText) => {
      expect(plain(keepTypography(region, newText))).toBe(plain(newText))
      expect(keepTypography(region, plain(region))).toBe(region)
    }),
    { seed: 20_260_917 },
  )
})

const adoptIndent = (region: string, quoted: string, newText: string) => adoptIndentOf(quoted)(region, newText)

it('shifts lines by what separates the quoted text from the file', () => {
  expect(adoptIndent('    if x:\n        return 1', 'if x:\n    return 1', 'if y:\n    a()\n    return 3')).toBe(
    '    if y:\n        a()\n        return 3',
  )
})

it('takes tabs from a file with tabs, also for lines deeper than the first', () => {
  expect(adoptIndent('\tdo it\n\t\tnow', 'do it\n    now', 'do that\n    later\n    still')).toBe('\tdo that\n\t\tlater\n\t\tstill')
})

it('keeps the nesting of lines that were quoted right when only the first was not', () => {
  expect(adoptIndent('x:\n  a: 1', '   x:\n  a: 1', 'y:\n  b: 2')).toBe('y:\n  b: 2')
})

it('restores nesting that the quoted text had lost, line by line', () => {
  expect(adoptIndent('if x:\n    go()', 'if x:\ngo()', 'if y:\nstop()')).toBe('if y:\n    stop()')
})

it('keeps what an unknown deeper line adds, and holds a shallower one at the first line', () => {
  expect(adoptIndent('    a', '  a', '  b\n    c\nd')).toBe('    b\n      c\n    d')
})

it('leaves blank lines and a text with the indent of the file as they are', () => {
  expect(adoptIndent('  a', 'a', 'b\n \nc')).toBe('  b\n \n  c')
  expect(adoptIndent('    a', '    a', 'b')).toBe('b')
})

const few = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 40 })

const naively = (within: readonly number[], wanted: readonly number[], overlapping: boolean): number[] => {
  const found: number[] = []
  for (let at = 0; wanted.length > 0 && at + wanted.length <= within.length; at++) {
    if (!overlapping && found.length > 0 && at < found.at(-1)! + wanted.length) continue
    if (wanted.every((item, index) => item === within[at + index])) found.push(at)
  }
  return found
}

it('finds what a comparison at every place finds, with and without overlaps', () => {
  fc.assert(
    fc.property(few, few, fc.boolean(), (within, wanted, overlapping) => {
      const short = wanted.slice(0, 4)
      expect(findSequence(within, short, { overlapping })).toEqual(naively(within, short, overlapping))
    }),
    { seed: 20_260_914 },
  )
})

it('finds texts left to right without overlaps, as replacing them needs it', () => {
  expect(findText('aaaaa', 'aa')).toEqual([0, 2])
  expect(findText('go 🚀 now', '🚀')).toEqual([3])
  expect(findText('a', 'ab')).toEqual([])
  expect(findText('abc', '')).toEqual([])
})

it('reports every run of lines, also one that begins inside another', () => {
  expect(findLineRuns(['a', 'a', 'a', 'b'], ['a', 'a'])).toEqual([0, 1])
  expect(findLineRuns(['a', 'b'], ['c'])).toEqual([])
})

const ratio = (a: string, b: string) => similarityRatio(toCodePoints(a), toCodePoints(b), { left: 1e9 })

it.each([
  ['', '', 1],
  ['', 'a', 0],
  ['abcd', 'bcde', 0.75],
  ['abcabc', 'abc', 0.6666666666666666],
  ['The deployment script', 'The deployment scripts', 0.9767441860465116],
  ['private Thread currentThread;', 'private volatile Thread currentThread;', 0.8656716417910447],
  ['a😀b', 'a😀c', 0.6666666666666666],
])('gives %j and %j the ratio of Python, %d', (a, b, expected) => {
  expect(ratio(a, b)).toBe(expected)
})

it('leaves out elements that a text of 200 or more is full of, as Python does', () => {
  expect(ratio('ab'.repeat(99), 'ba'.repeat(99))).toBeGreaterThan(0.99)
  expect(ratio('ab'.repeat(150), 'ba'.repeat(150))).toBe(0)
  // A match right at the beginning is found all the same.
  expect(ratio('x'.repeat(250), `${'x'.repeat(250)}y`)).toBe(0.998003992015968)
})

it('shares blocks in order that hold equal elements', () => {
  const text = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 60 })
  fc.assert(
    fc.property(text, text, (a, b) => {
      let [endA, endB] = [0, 0]
      for (const block of matchingBlocks(a, b, { left: 1e9 })) {
        expect(block.a).toBeGreaterThanOrEqual(endA)
        expect(block.b).toBeGreaterThanOrEqual(endB)
        endA = block.a + block.length
        endB = block.b + block.length
        expect(a.slice(block.a, endA)).toEqual(b.slice(block.b, endB))
      }
    }),
    { seed: 20_260_915 },
  )
})

it('says the same with its short cuts as the full comparison does', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '😀'), maxLength: 30 }).map(toCodePoints)
  fc.assert(
    fc.property(text, text, fc.constantFrom(0.5, 0.7, 0.8), (a, b, least) => {
      expect(areSimilar(a, b, least, { left: 1e9 })).toBe(similarityRatio(a, b, { left: 1e9 }) >= least)
    }),
    { seed: 20_260_916 },
  )
})

it('stops once its budget is spent and leaves that to be seen', () => {
  const budget = { left: 1000 }
  const text = Array.from({ length: 199 }, () => 1)
  matchingBlocks(text, text, budget)
  expect(budget.left).toBeLessThan(0)
  expect(budget.left).toBeGreaterThan(-1000)
})
