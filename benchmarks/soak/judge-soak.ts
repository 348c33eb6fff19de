/** Whether a soak held: from its samples and from what was found wrong while it ran. */
import type { SoakSample } from './play-soak.ts'

/**
 * Bytes of heap for each turn. The messages of a turn have over 150 characters, and an object that holds them takes over 100 bytes more: a process that keeps
 * anything of each turn grows faster.
 */
export const MOST_BYTES_PER_TURN = 128
/** Heaps after a collection differ by this much without a leak: compiled code, caches with a limit, buffers that the collector still counts. */
export const NOISE_BYTES = 512 * 1024

export interface SoakVerdict {
  /** Growth of the heap over the last half of the samples, in bytes for each turn, by least squares. */
  readonly slope: number
  /** The most that it may be. */
  readonly limit: number
  readonly wrong: readonly string[]
}

const slopeOf = (samples: readonly SoakSample[]): number => {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [turns, heap] = [mean(samples.map((each) => each.turns)), mean(samples.map((each) => each.heapBytes))]
  const spread = samples.reduce((sum, each) => sum + (each.turns - turns) ** 2, 0)
  return samples.reduce((sum, each) => sum + (each.turns - turns) * (each.heapBytes - heap), 0) / spread
}

/** `found`: what was wrong while it ran. Needs six samples. */
export const judgeSoak = (samples: readonly SoakSample[], found: readonly string[]): SoakVerdict => {
  if (samples.length < 6) throw new TypeError(`A verdict needs six samples, not ${samples.length}: play more sessions.`)
  const half = samples.slice(Math.floor(samples.length / 2))
  const [from, to] = [half[0]?.turns ?? 0, half.at(-1)?.turns ?? 0]
  const slope = slopeOf(half)
  const limit = MOST_BYTES_PER_TURN + NOISE_BYTES / (to - from)
  const growth = slope <= limit ? [] : [`the heap grows by ${Math.round(slope)} bytes a turn, more than ${Math.round(limit)}`]
  const lost = samples
    .filter((sample) => sample.lost > 0)
    .map((sample) => `after ${sample.turns} turns, ${sample.lost} turns were neither read by a review nor wait for one`)
  const unreviewed = samples.at(-1)?.reviews === 0 ? ['no review ran'] : []
  return { slope, limit, wrong: [...growth, ...lost, ...unreviewed, ...found] }
}
