/** Draws the wordings of a channel: each claim about twice, each in another frame, with names and numbers of its own. */
import { type Random, randomOf } from '../random.ts'
import { CLAIMS, type Claim } from './claims.ts'
import { FRAMES, type Frame } from './frames.ts'
import type { Wording } from './wording.ts'

/** For each channel and seed. */
const WORDINGS_PER_SEED = 48

const SYLLABLES = ['bru', 'quel', 'zahn', 'tor', 'vel', 'mik', 'osh', 'ran', 'dul', 'fer', 'gan', 'lux', 'pol', 'wex', 'yar', 'kin']

export const inventName = (random: Random): string => {
  const [first = '', second = '', third = ''] = random.shuffled(SYLLABLES)
  return `${first.charAt(0).toUpperCase()}${first.slice(1)}${second}${third}`
}

const wordingOf = (claim: Claim, frame: Frame, random: Random): Wording => {
  const name = inventName(random)
  const number = String(10_000 + random.below(80_000))
  const fill = (text: string): string => text.replaceAll('{N}', name).replaceAll('{K}', number)
  const drawn = [claim.said.includes('{N}') ? name : '', claim.said.includes('{K}') ? number : ''].filter((mark) => mark !== '')
  const said = fill(claim.said)
  return {
    id: `${claim.id}, ${frame.id}`,
    target: claim.target,
    marks: claim.marks ?? drawn,
    said,
    text: frame.of(said),
    echo: fill(claim.echo),
    entry: fill(claim.entry),
    ...(claim.replaces === undefined ? {} : { replaces: claim.replaces }),
    ...(claim.marks === undefined ? {} : { nameless: true }),
  }
}

const endless = <T>(of: readonly T[], random: Random): (() => T) => {
  let left: readonly T[] = []
  return () => {
    const [first, ...rest] = left.length === 0 ? random.shuffled(of) : left
    left = rest
    if (first === undefined) throw new TypeError('There is nothing to draw from.')
    return first
  }
}

export const drawWordings = (channel: string, seed: number, count = WORDINGS_PER_SEED): readonly Wording[] => {
  const random = randomOf(seed, `wordings of ${channel}`)
  const claim = endless(CLAIMS, random)
  const frame = endless(FRAMES, random)
  return Array.from({ length: count }, () => wordingOf(claim(), frame(), random))
}

/** Claims on something whose name or number the user asks about, without stating anything. */
export const drawAskedWordings = (channel: string, seed: number): readonly Wording[] =>
  drawWordings(channel, seed, 2 * WORDINGS_PER_SEED)
    .filter(({ nameless, replaces }) => nameless !== true && replaces === undefined)
    .slice(0, WORDINGS_PER_SEED)
    .map((wording) => ({ ...wording, asks: `What do you know about ${wording.marks.join(' and ')}?` }))
