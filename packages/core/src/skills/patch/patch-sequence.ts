/** Finds a sequence of numbers in another in linear time (the engine's own string search is not linear on hostile input). */

/** For each position, the length of the longest prefix of `wanted` that also ends there (Knuth, Morris, Pratt). */
const bordersOf = (wanted: ArrayLike<number>): Int32Array => {
  const borders = new Int32Array(wanted.length)
  let length = 0
  for (let index = 1; index < wanted.length; index++) {
    while (length > 0 && wanted[index] !== wanted[length]) length = borders[length - 1] ?? 0
    if (wanted[index] === wanted[length]) length++
    borders[index] = length
  }
  return borders
}

export interface FindSequenceOptions {
  /** Also report occurrences that begin inside an earlier one. Default: false, left to right. */
  readonly overlapping?: boolean
  /** Maximum number of occurrences. Default: all. */
  readonly atMost?: number
}

/** The indexes in `within` at which `wanted` begins, ascending; none for an empty `wanted`. */
export const findSequence = (
  within: ArrayLike<number>,
  wanted: ArrayLike<number>,
  { overlapping = false, atMost = Number.POSITIVE_INFINITY }: FindSequenceOptions = {},
): readonly number[] => {
  const found: number[] = []
  if (wanted.length === 0 || wanted.length > within.length) return found
  const borders = bordersOf(wanted)
  let matched = 0
  for (let index = 0; index < within.length; index++) {
    while (matched > 0 && within[index] !== wanted[matched]) matched = borders[matched - 1] ?? 0
    if (within[index] === wanted[matched]) matched++
    if (matched < wanted.length) continue
    found.push(index - wanted.length + 1)
    if (found.length >= atMost) return found
    matched = overlapping ? (borders[matched - 1] ?? 0) : 0
  }
  return found
}

const toCodeUnits = (text: string): Uint16Array => {
  const units = new Uint16Array(text.length)
  for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index)
  return units
}

/** Maximum number of places a search reports: more than a patch replaces. */
export const MOST_PLACES = 10_000

/** The offsets (UTF-16 units) at which `wanted` occurs in `within`, left to right, not overlapping; at most `MOST_PLACES`. */
export const findText = (within: string, wanted: string): readonly number[] =>
  wanted.length > within.length ? [] : findSequence(toCodeUnits(within), toCodeUnits(wanted), { atMost: MOST_PLACES })

/** The indexes at which the lines `wanted` occur in sequence in `within`, overlapping ones included; at most `MOST_PLACES`. */
export const findLineRuns = (within: readonly string[], wanted: readonly string[]): readonly number[] => {
  const numbers = new Map<string, number>()
  const numberOf = (line: string): number => {
    const known = numbers.get(line) ?? numbers.size
    numbers.set(line, known)
    return known
  }
  return findSequence(within.map(numberOf), wanted.map(numberOf), { overlapping: true, atMost: MOST_PLACES })
}
