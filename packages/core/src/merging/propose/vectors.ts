/** Skills as vectors of the words they are about, so that likeness is an angle. Pure. */
import { contentWords } from '../../text/content-words.ts'

export interface ClusterSubject {
  /** Below the folder of skills; names it for certain. */
  readonly path: string
  readonly name: string
  readonly description: string
  readonly headings: readonly string[]
}

const WEIGHTS = { name: 2, description: 2, heading: 1 }

/** What a skill alone says makes it no more like another, and hardly less. */
const ALONE = 0.5

export interface SkillVector {
  readonly path: string
  readonly tokens: readonly string[]
  readonly words: ReadonlyMap<string, number>
}

const tokensOf = (name: string): readonly string[] =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((token) => token !== '')

const weigh = ({ name, description, headings }: ClusterSubject): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>()
  const add = (text: string, weight: number): void => {
    for (const word of contentWords(text)) weights.set(word, Math.max(weight, weights.get(word) ?? 0))
  }
  add(headings.join('\n'), WEIGHTS.heading)
  add(description, WEIGHTS.description)
  add(name.replace(/[-_.]+/g, ' '), WEIGHTS.name)
  return weights
}

const rarityOf = (sharing: number, size: number): number => Math.log(1 + size / sharing) * (sharing === 1 ? ALONE : 1)

/** In the order given. Rare words count more; the length of each vector is 1. */
export const toVectors = (subjects: readonly ClusterSubject[]) => {
  const weights = subjects.map(weigh)
  const sharing = new Map<string, number>()
  for (const words of weights) for (const word of words.keys()) sharing.set(word, (sharing.get(word) ?? 0) + 1)
  const vectors = subjects.map(({ path, name }, at): SkillVector => {
    const scaled = [...(weights[at] ?? [])].map(
      ([word, weight]) => [word, weight * rarityOf(sharing.get(word) ?? 1, subjects.length)] as const,
    )
    const length = Math.hypot(...scaled.map(([, weight]) => weight)) || 1
    return { path, tokens: tokensOf(name), words: new Map(scaled.map(([word, weight]) => [word, weight / length])) }
  })
  return { vectors, sharing }
}

export const cosineOf = (a: SkillVector, b: SkillVector): number => {
  const [few, many] = a.words.size <= b.words.size ? [a.words, b.words] : [b.words, a.words]
  let sum = 0
  for (const [word, weight] of few) sum += weight * (many.get(word) ?? 0)
  return sum
}

/** How many words two names begin with alike. */
export const sharedStart = (a: readonly string[], b: readonly string[]): number => {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  return at
}
