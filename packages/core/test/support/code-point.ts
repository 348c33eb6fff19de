/** One character of any kind, as `unit` of `fc.string`: every code point but halves of pairs. `unit: 'binary'` is the same, after a second for a table of them all. */
import fc from 'fast-check'

const HALVES = 0x800
const FIRST_HALF = 0xd800

export const codePoint = fc
  .integer({ min: 0, max: 0x10ffff - HALVES })
  .map((index) => String.fromCodePoint(index < FIRST_HALF ? index : index + HALVES))
