/** Lets a home merge a pair of skills with a scripted model, and tells whether the merged text was written. */
import { createHermes, inMemoryBackend, type TrustLevel } from '@hermes/core'
import { ALTERATIONS, type Alteration, altered, PLACES, type Place } from './altered.ts'
import { FAITHFUL, freelyReworded, type MergedParts, mergedText } from './faithful.ts'
import { type Pair, pairOf, random } from './pairs.ts'

export interface MergeOutcome {
  readonly kind: 'faithful' | 'freely reworded' | 'altered'
  readonly name: string
  readonly trust: TrustLevel
  readonly written: boolean
  /** Why it waits or was refused. */
  readonly why: string
  readonly content: string
}

/** All cases follow from one of them; the figures in the docs from the first. */
export const SEEDS = [20260400, 7_000, 99_000_000] as const

const NOW = Date.UTC(2026, 3, 1, 9)
const DAY_MS = 86_400_000

const play = async ({ topic, skills }: Pair, content: string, trust: TrustLevel): Promise<Pick<MergeOutcome, 'written' | 'why'>> => {
  const plan = {
    consolidations: skills.map(({ name }) => ({
      from: name,
      into: topic.name,
      method: 'create',
      reason: 'They belong together.',
      score: 0.9,
    })),
    prunings: [],
    umbrellas: [{ name: topic.name, content }],
  }
  let ids = 0
  let now = NOW
  const hermes = createHermes({
    storage: inMemoryBackend(),
    clock: () => now,
    createId: () => `id-${++ids}`,
    trust,
    curator: { model: async () => JSON.stringify(plan) },
    onEvent: () => {},
  })
  for (const { name, text } of skills) {
    const created = await hermes.skillStore().create({ name, content: text })
    if (!created.ok) throw created.error
    const recorded = await hermes.usageStore().record(name, 'create', { createdBy: 'agent' })
    if (!recorded.ok) throw recorded.error
  }
  now += 30 * DAY_MS
  const run = await hermes.curator.run({ consolidate: true })
  if (!run.ok) throw run.error
  const { consolidated = [], held = [], refused = [], clusters } = run.value.consolidation ?? {}
  if (clusters?.asked !== 1) throw new Error(`The skills of '${topic.name}' were not shown to the model together.`)
  return { written: consolidated.length > 0, why: [...held, ...refused].map(({ why }) => why).join(' ') }
}

const judge = async (
  about: Pick<MergeOutcome, 'kind' | 'name' | 'trust'>,
  number: number,
  merge: (pair: Pair, next: () => number) => MergedParts,
): Promise<MergeOutcome> => {
  const next = random(number)
  const pair = pairOf(number, next)
  const content = mergedText(merge(pair, next))
  return { ...about, content, ...(await play(pair, content, about.trust)) }
}

/** `each`: merges of each kind, at each level. `only`: what is measured. */
export const measure = async (each: number, seed: number, only?: MergeOutcome['kind']): Promise<readonly MergeOutcome[]> => {
  const outcomes: MergeOutcome[] = []
  let number = seed
  const faithful = { ...FAITHFUL, freely: freelyReworded }
  for (const [name, merge] of Object.entries(faithful)) {
    const kind = name === 'freely' ? 'freely reworded' : 'faithful'
    if (only !== undefined && only !== kind) continue
    for (let index = 0; index < each; index++) outcomes.push(await judge({ kind, name, trust: 'balanced' }, number++, merge))
  }
  if (only !== undefined && only !== 'altered') return outcomes
  const cases = ALTERATIONS.flatMap((alteration) =>
    PLACES.filter((place) => alteration !== 'swapped sections' || ['text', 'list item'].includes(place)).map(
      (place): readonly [Alteration, Place] => [alteration, place],
    ),
  )
  for (const trust of ['strict', 'balanced', 'open'] as const) {
    for (const [alteration, place] of cases) {
      const name = `${alteration}, as ${place}`
      for (let index = 0; index < each; index++)
        outcomes.push(await judge({ kind: 'altered', name, trust }, number++, (pair, next) => altered(alteration, place, pair, next)))
    }
  }
  return outcomes
}
