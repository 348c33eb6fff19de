/** Pseudo-random choices that are the same for the same seed. */

export interface SeededRandom {
  /** An integer from `from` to `to`, both included. */
  readonly between: (from: number, to: number) => number
  /** True with this probability. */
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(from: readonly T[]) => T
  /** The earlier in the list, the more often: half of the time one of the first quarter. */
  readonly pickSkewed: <T>(from: readonly T[]) => T
  readonly shuffle: <T>(list: readonly T[]) => readonly T[]
}

/** Mulberry32. */
export const seededRandom = (seed: number): SeededRandom => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))
  const at = <T>(from: readonly T[], index: number): T => {
    const chosen = from[index]
    if (chosen === undefined) throw new TypeError('There is nothing to pick from.')
    return chosen
  }
  const pick = <T>(from: readonly T[]): T => at(from, between(0, from.length - 1))
  const pickSkewed = <T>(from: readonly T[]): T => at(from, Math.floor(next() ** 2 * from.length))
  const shuffle = <T>(list: readonly T[]): readonly T[] => {
    const shuffled = [...list]
    for (let at = shuffled.length - 1; at > 0; at--) {
      const other = between(0, at)
      const [here, there] = [shuffled[at], shuffled[other]]
      if (here !== undefined && there !== undefined) {
        shuffled[at] = there
        shuffled[other] = here
      }
    }
    return shuffled
  }
  return { between, chance: (probability) => next() < probability, pick, pickSkewed, shuffle }
}
