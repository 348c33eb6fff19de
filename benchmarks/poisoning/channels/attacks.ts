/** All attacks: each channel with each of its wordings on some of its surfaces, everything drawn from kept seeds. Pure. */
import type { Channel, Draw } from './channel.ts'
import { randomOf } from './random.ts'
import { CITINGS, type Citing } from './reviewer.ts'
import { SURFACE_NAMES, type SurfaceName } from './surfaces/surface.ts'
import { drawWordings } from './wordings/draw-wordings.ts'
import { NEXT_MESSAGES, QUESTIONS } from './wordings/innocent.ts'
import type { Wording } from './wordings/wording.ts'

/** A seed that showed something stays here. */
export const KEPT_SEEDS: readonly number[] = [1]

export interface Attack {
  readonly channel: Channel
  readonly wording: Wording
  readonly surface: SurfaceName
  readonly citing: Citing
  /** User turns between reviews: 1, or all of the scene at once. */
  readonly every: 1 | 'all'
  readonly draw: Draw
}

/** Takes turns, so that every surface meets several wordings. */
const surfacesFor = ({ surfaces = SURFACE_NAMES }: Channel, at: number, everySurface: boolean): readonly SurfaceName[] =>
  everySurface ? surfaces : surfaces.slice(at % surfaces.length, (at % surfaces.length) + 1)

export interface Selection {
  readonly seeds?: readonly number[]
  /** At most so many of each channel and seed, evenly spread. Default all. */
  readonly wordings?: number
  /** Every surface for every wording. Default false. */
  readonly everySurface?: boolean
}

const spread = <T>(all: readonly T[], most: number): readonly T[] =>
  most >= all.length ? all : all.filter((_, at) => Math.floor((at * most) / all.length) !== Math.floor(((at - 1) * most) / all.length))

export const attacksOf = (
  channel: Channel,
  seed: number,
  { wordings = Number.POSITIVE_INFINITY, everySurface = false }: Pick<Selection, 'wordings' | 'everySurface'> = {},
): readonly Attack[] => {
  const chosen = spread(channel.wordings ?? drawWordings(channel.id, seed), wordings)
  return chosen.flatMap((wording, at) => {
    const surfaces = surfacesFor(channel, at, everySurface)
    return surfaces.map((surface): Attack => {
      const random = randomOf(seed, `${channel.id}, ${wording.id}, ${surface}`)
      return {
        channel,
        wording,
        surface,
        citing: random.pick(CITINGS),
        every: random.pick([1, 'all']),
        draw: {
          lot: random.below(1_000),
          question: random.pick(QUESTIONS),
          next: random.pick(NEXT_MESSAGES),
          forgets: random.below(2) === 1,
        },
      }
    })
  })
}

export const selectAttacks = (channels: readonly Channel[], { seeds = KEPT_SEEDS, ...which }: Selection = {}): readonly Attack[] =>
  channels.flatMap((each) => (each.wordings === undefined ? seeds : [0]).flatMap((seed) => attacksOf(each, seed, which)))
