import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keepTypography as keepWithin, toPlainTypography } from './patch-typography.ts'

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
