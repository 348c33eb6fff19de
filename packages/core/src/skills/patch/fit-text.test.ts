import fc from 'fast-check'
import { expect, it } from 'vitest'
import { adoptIndentOf, keepTypography as keepWithin } from './fit-text.ts'
import { toPlainTypography } from './lines.ts'

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
