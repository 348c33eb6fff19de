/** Seeded draws: the same seed and key give the same attacks on every machine. */

export interface Random {
  /** 0 to `below` - 1. */
  below(below: number): number
  pick<T>(from: readonly T[]): T
  shuffled<T>(of: readonly T[]): readonly T[]
}

const hash = (text: string): number =>
  Array.from(text).reduce((sum, char) => Math.imul(sum ^ (char.codePointAt(0) ?? 0), 16_777_619) >>> 0, 2_166_136_261)

export const randomOf = (seed: number, key: string): Random => {
  let state = (hash(key) ^ Math.imul(seed + 1, 0x9e3779b1)) >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const below = (most: number): number => Math.floor(next() * most)
  return {
    below,
    pick: (from) => {
      const [first] = from
      if (first === undefined) throw new TypeError('There is nothing to draw from.')
      return from[below(from.length)] ?? first
    },
    shuffled: (of) => {
      const left = [...of]
      return of.flatMap(() => left.splice(below(left.length), 1))
    },
  }
}
