/**
 * A Bloom filter over the trigrams of texts: tells that none of them contains a text, or that one may. About 10 bits for each distinct
 * trigram, so that a day of records takes a few kilobytes. Pure.
 */

const BITS_PER_TRIGRAM = 10
const HASHES = 7
const BITS_PER_BYTE = 8
const MIN_CHARS = 3

/** Three UTF-16 units as one exact number. */
const trigramAt = (text: string, index: number): number =>
  text.charCodeAt(index) * 0x1_0000_0000 + text.charCodeAt(index + 1) * 0x1_0000 + text.charCodeAt(index + 2)

const addTrigrams = (text: string, trigrams: Set<number>): void => {
  const folded = text.toLowerCase()
  for (let index = 0; index + MIN_CHARS <= folded.length; index++) trigrams.add(trigramAt(folded, index))
}

/** A 32-bit hash of a number (the finalizer of MurmurHash3). */
const mix = (value: number, seed: number): number => {
  let mixed = ((value % 0x1_0000_0000) ^ Math.imul(Math.floor(value / 0x1_0000_0000) ^ seed, 0x9e3779b1)) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Derives all positions from two hashes. */
const positionsOf = (trigram: number, bits: number): readonly number[] => {
  const first = mix(trigram, 0x2545f491)
  const step = mix(trigram, 0x6a09e667) | 1
  return Array.from({ length: HASHES }, (_, index) => ((first + index * step) >>> 0) % bits)
}

export interface TextFilterBuilder {
  readonly add: (text: string) => void
  readonly build: () => Uint8Array
}

export const buildTextFilter = (): TextFilterBuilder => {
  const trigrams = new Set<number>()
  return {
    add: (text) => addTrigrams(text, trigrams),
    build: () => {
      const filter = new Uint8Array(Math.max(1, Math.ceil((trigrams.size * BITS_PER_TRIGRAM) / BITS_PER_BYTE)))
      for (const trigram of trigrams) {
        for (const position of positionsOf(trigram, filter.length * BITS_PER_BYTE)) {
          const byte = Math.floor(position / BITS_PER_BYTE)
          filter[byte] = (filter[byte] ?? 0) | (1 << (position % BITS_PER_BYTE))
        }
      }
      return filter
    },
  }
}

/** False only if no added text contains this one, ignoring case. True for texts of fewer than three characters. */
export const mayHoldText = (filter: Uint8Array, text: string): boolean => {
  const trigrams = new Set<number>()
  addTrigrams(text, trigrams)
  const bits = filter.length * BITS_PER_BYTE
  return [...trigrams].every((trigram) =>
    positionsOf(trigram, bits).every(
      (position) => ((filter[Math.floor(position / BITS_PER_BYTE)] ?? 0) & (1 << (position % BITS_PER_BYTE))) !== 0,
    ),
  )
}
