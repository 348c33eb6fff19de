/** Crafted texts for the scan of threats, each meant to make one kind of matcher backtrack or expand. */
import { scanThreats, THREAT_SCAN_MAX_CHARS } from '../../packages/core/src/threats/scan.ts'
import type { BlockingCase } from './case.ts'
import { piecesOf } from './pieces.ts'

const SIZE = THREAT_SCAN_MAX_CHARS

/** The limit counts code points. */
const fill = (piece: string): string => {
  const chars = [...piece].length
  return piece.repeat(Math.floor(SIZE / chars)) + [...piece].slice(0, SIZE % chars).join('')
}

/** `start`, then `piece` repeated to fill the size, then `end`. */
const around = (start: string, piece: string, end: string): string => {
  const room = SIZE - [...start].length - [...end].length
  return start + [...fill(piece)].slice(0, room).join('') + end
}

const OPENINGS = piecesOf('opening').map(({ piece }) => piece)
const ALMOST = piecesOf('almost').map(({ piece }) => piece)

const texts = (): readonly (readonly [name: string, text: string])[] => [
  ...OPENINGS.flatMap((text): (readonly [string, string])[] => [
    [`"${text}" repeated`, fill(`${text} `)],
    [`"${text}" without spaces`, fill(text)],
    [`"${text}" and filler words`, fill(`${text} ${'w '.repeat(8)}`)],
    [`"${text}" and one space run`, around(`${text} `.repeat(9), ' ', 'x')],
    [`"${text}" and many space runs`, fill(`${text}${' '.repeat(40)}`)],
    [`"${text}" and one long word`, around(`${text} `.repeat(9), 'w', ' x')],
    [`"${text}" and line ends`, fill(`${text}\n`)],
  ]),
  ...ALMOST.flatMap((text): (readonly [string, string])[] => [
    [`"${text}" repeated`, fill(text)],
    [`"${text}" up to a ligature`, around(text.repeat(800), '\ufdfa', text)],
  ]),
  ...piecesOf('unicode').map(({ name = '', piece }) => [name, fill(piece)] as const),
  ['all openings', fill(`${OPENINGS.join(' ')} `)],
  ['all almost-matches', fill(ALMOST.join(''))],
  ['a ligature after a phrase that almost matches', around('ignore all ', '\ufdfa', ' curl $KEYS')],
  ['combining marks in falling order', `a${'\u0301'.repeat(SIZE / 2)}${'\u0327'.repeat(SIZE / 2 - 1)}`],
  ['half-width voice marks after combining marks', `a${'\u0301'.repeat(SIZE / 2)}${'\uff9e'.repeat(SIZE / 2 - 1)}`],
]

export const scanCases: readonly BlockingCase[] = texts().map(([name, text]) => ({
  name: `scan: ${name}`,
  run: () => scanThreats(text, 'strict'),
}))
