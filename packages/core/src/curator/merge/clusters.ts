/**
 * Groups skills that might be sections of one: names that begin alike, and rare words in common. Only decides what the model is asked
 * about. Pure, deterministic, near-linear in the library.
 */
import { byCodeUnit } from '../../storage/document-tree.ts'
import { contentWords } from '../../text/content-words.ts'

export interface ClusterSubject {
  /** Relative to the skills folder; unique. */
  readonly path: string
  readonly name: string
  readonly description: string
  readonly headings: readonly string[]
}

const WEIGHTS = { name: 2, description: 2, heading: 1 }

/** Factor for a word that only one skill has, so that it lowers the similarity less. */
const ALONE = 0.5

interface SkillVector {
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

/** In the given order. Rare words weigh more; each vector has length 1. */
const toVectors = (subjects: readonly ClusterSubject[]) => {
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

const cosineOf = (a: SkillVector, b: SkillVector): number => {
  const [few, many] = a.words.size <= b.words.size ? [a.words, b.words] : [b.words, a.words]
  let sum = 0
  for (const [word, weight] of few) sum += weight * (many.get(word) ?? 0)
  return sum
}

/** The number of equal words at the beginning of two names. */
const sharedStart = (a: readonly string[], b: readonly string[]): number => {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  return at
}

export interface SkillCluster {
  /** The shared beginning of their names, otherwise shared words. */
  readonly label: string
  /** Paths, the most central first; at least two. */
  readonly paths: readonly string[]
}

const MAX_CLUSTER_SIZE = 12

/** Minimum cosine for two skills to be grouped: by words alone; with the same first word in the name; with the same first two. */
const ALIKE = { meaning: 0.4, oneWord: 0.3, twoWords: 0 }

/** A word shared by more skills than this is ignored: it does not distinguish, and would make the search quadratic. */
const MAX_SHARING = 60

/** Each name is compared with this many names after it in the alphabet. */
const NEIGHBOURS = MAX_CLUSTER_SIZE

interface Edge {
  readonly a: number
  readonly b: number
  readonly weight: number
}

/** Pairs to compare: alphabetical neighbours that begin alike, and skills with a rare word in common. */
const pairsOf = (vectors: readonly SkillVector[], sharing: ReadonlyMap<string, number>): ReadonlyMap<string, readonly [number, number]> => {
  const pairs = new Map<string, readonly [number, number]>()
  const add = (one: number, other: number): void => {
    const pair = one < other ? ([one, other] as const) : ([other, one] as const)
    pairs.set(`${pair[0]} ${pair[1]}`, pair)
  }
  const byName = vectors
    .map(({ tokens, path }, at) => ({ at, key: `${tokens.join(' ')}\n${path}` }))
    .sort((a, b) => byCodeUnit(a.key, b.key))
  for (const [index, { at }] of byName.entries()) {
    for (const next of byName.slice(index + 1, index + 1 + NEIGHBOURS)) {
      if (sharedStart(vectors[at]?.tokens ?? [], vectors[next.at]?.tokens ?? []) === 0) break
      add(at, next.at)
    }
  }
  const holders = new Map<string, number[]>()
  for (const [at, { words }] of vectors.entries()) {
    for (const word of words.keys()) {
      if ((sharing.get(word) ?? 0) > MAX_SHARING) continue
      const others = holders.get(word) ?? []
      for (const other of others) add(other, at)
      holders.set(word, [...others, at])
    }
  }
  return pairs
}

const edgeOf = (vectors: readonly SkillVector[], [a, b]: readonly [number, number]): Edge | undefined => {
  const one = vectors[a]
  const other = vectors[b]
  if (!one || !other) return undefined
  const cosine = cosineOf(one, other)
  const shared = sharedStart(one.tokens, other.tokens)
  const needed = shared >= 2 ? ALIKE.twoWords : shared === 1 ? ALIKE.oneWord : ALIKE.meaning
  return cosine >= needed ? { a, b, weight: cosine + Math.min(shared, 2) / 2 } : undefined
}

/** Joins by the strongest edge first, up to the maximum size of a group. */
const join = (size: number, edges: readonly Edge[], maxSize: number): ReadonlyArray<readonly number[]> => {
  const groups = Array.from({ length: size }, (_, at) => [at])
  for (const { a, b } of edges) {
    const one = groups[a]
    const other = groups[b]
    if (!one || !other || one === other || one.length + other.length > maxSize) continue
    one.push(...other)
    for (const at of other) groups[at] = one
  }
  return [...new Set(groups)].filter((group) => group.length >= 2)
}

const labelOf = (members: readonly SkillVector[]): string => {
  const [first, ...rest] = members.map(({ tokens }) => tokens)
  const shared = rest.reduce((length, tokens) => Math.min(length, sharedStart(first ?? [], tokens)), first?.length ?? 0)
  if (shared > 0) return `${(first ?? []).slice(0, shared).join('-')}-*`
  const counts = new Map<string, number>()
  for (const { words } of members) for (const [word, weight] of words) counts.set(word, (counts.get(word) ?? 0) + weight)
  const common = [...counts].sort(([a, x], [b, y]) => y - x || byCodeUnit(a, b)).slice(0, 3)
  return common.map(([word]) => word).join(' ')
}

/** The best first: many skills, closely related. Each skill is in at most one cluster; a skill similar to no other is in none. */
export const clusterSkills = (subjects: readonly ClusterSubject[], maxSize: number = MAX_CLUSTER_SIZE): readonly SkillCluster[] => {
  const sorted = subjects.toSorted((a, b) => byCodeUnit(a.path, b.path))
  const { vectors, sharing } = toVectors(sorted)
  const edges = [...pairsOf(vectors, sharing).values()]
    .flatMap((pair) => edgeOf(vectors, pair) ?? [])
    .sort((x, y) => y.weight - x.weight || x.a - y.a || x.b - y.b)
  const ties = new Map<number, number>()
  for (const { a, b, weight } of edges) for (const at of [a, b]) ties.set(at, (ties.get(at) ?? 0) + weight)
  return join(sorted.length, edges, maxSize)
    .map((group) => {
      const members = group.toSorted((x, y) => (ties.get(y) ?? 0) - (ties.get(x) ?? 0) || x - y).flatMap((at) => vectors[at] ?? [])
      const weight = group.reduce((sum, at) => sum + (ties.get(at) ?? 0), 0)
      return { weight, cluster: { label: labelOf(members), paths: members.map(({ path }) => path) } }
    })
    .sort((a, b) => b.weight - a.weight || byCodeUnit(a.cluster.label, b.cluster.label))
    .map(({ cluster }) => cluster)
}
