/** Whether a soak held: from its samples and from what was found wrong while it ran. Pure. */
import type { SoakSample } from './play-soak.ts'

/**
 * Bytes for each turn. The messages of a turn have over 150 characters, and an object that holds them takes over 100 bytes more: a process that keeps
 * anything of each turn grows faster.
 */
export const MOST_BYTES_PER_TURN = 128
/** Heaps after a collection differ by this much without a leak: compiled code, caches with a limit, buffers that the collector still counts. */
export const NOISE_BYTES = 512 * 1024
/** In its first turns, a process compiles its code and fills its caches: most of what its heap grows by in 20,000 turns, it grows by up to here. */
const WARM_UP_TURNS = 5_000
const WARM_UP_BYTES = 2 * 1024 * 1024
/** The memory of a process also has room that its allocators keep for later, so that only a large leak shows in it alone. */
export const RSS_NOISE_BYTES = 64 * 1024 * 1024

type SoakMeasure = 'heapBytes' | 'externalBytes' | 'rssBytes' | 'storedBytes' | 'diskBytes'

export interface SoakVerdict {
  /** Growth over the last half of the turns, in bytes for each turn, by least squares. */
  readonly perTurn: Readonly<Record<SoakMeasure, number>>
  /** The most by which the heap may grow, in bytes for each turn. */
  readonly limit: number
  readonly wrong: readonly string[]
}

const slopeOf = (samples: readonly SoakSample[], measure: SoakMeasure): number => {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [turns, bytes] = [mean(samples.map((each) => each.turns)), mean(samples.map((each) => each[measure]))]
  const spread = samples.reduce((sum, each) => sum + (each.turns - turns) ** 2, 0)
  return samples.reduce((sum, each) => sum + (each.turns - turns) * (each[measure] - bytes), 0) / spread
}

const perTurnOf = (samples: readonly SoakSample[]): SoakVerdict['perTurn'] => ({
  heapBytes: slopeOf(samples, 'heapBytes'),
  externalBytes: slopeOf(samples, 'externalBytes'),
  rssBytes: slopeOf(samples, 'rssBytes'),
  storedBytes: slopeOf(samples, 'storedBytes'),
  diskBytes: slopeOf(samples, 'diskBytes'),
})

/** What must not grow, with the growth that is noise. */
const BOUNDED: readonly { readonly measure: SoakMeasure; readonly what: string; readonly noise: number }[] = [
  { measure: 'heapBytes', what: 'the heap', noise: NOISE_BYTES },
  { measure: 'externalBytes', what: 'the memory of buffers', noise: NOISE_BYTES },
  { measure: 'rssBytes', what: 'the memory of the process', noise: RSS_NOISE_BYTES },
]

/** `found`: what was wrong while it ran. Needs six samples. */
export const judgeSoak = (samples: readonly SoakSample[], found: readonly string[]): SoakVerdict => {
  if (samples.length < 6) throw new TypeError(`A verdict needs six samples, not ${samples.length}: play more sessions.`)
  const last = samples.at(-1)?.turns ?? 0
  const half = samples.filter(({ turns }) => turns >= last / 2)
  const from = half[0]?.turns ?? 0
  const perTurn = perTurnOf(half)
  const warmUp = from < WARM_UP_TURNS ? WARM_UP_BYTES : 0
  const limitFor = (noise: number): number => MOST_BYTES_PER_TURN + (noise + warmUp) / (last - from)
  const growth = BOUNDED.filter(({ measure, noise }) => perTurn[measure] > limitFor(noise)).map(
    ({ measure, what, noise }) => `${what} grows by ${Math.round(perTurn[measure])} bytes a turn, more than ${Math.round(limitFor(noise))}`,
  )
  const lost = samples
    .filter((sample) => sample.lost > 0)
    .map((sample) => `after ${sample.turns} turns, ${sample.lost} turns were neither read by a review nor wait for one`)
  const unreviewed = samples.at(-1)?.reviews === 0 ? ['no review ran'] : []
  return { perTurn, limit: limitFor(NOISE_BYTES), wrong: [...growth, ...lost, ...unreviewed, ...found] }
}
