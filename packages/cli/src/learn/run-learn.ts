/** Reads sources in batches: what that will cost, and then each batch as one review, until it is done, stopped or at its limit of tokens. */
import { setTimeout as pause } from 'node:timers/promises'
import { err, type Hermes, HermesError, type HostModel, ok, type Result, type ReviewOutcome } from '@hermes/core'
import type { LearnedSource, SourceMarks } from '@hermes/core/review'
import type { LearnSource } from './learn-source.ts'
import { type Batch, planBatches } from './plan-batches.ts'

export interface Material {
  readonly kind: 'sessions' | 'documents'
  readonly sources: readonly LearnSource[]
  /** What was read before. */
  readonly known: ReadonlyMap<string, LearnedSource>
  /** As `hermes.learn.sources` returned them. */
  readonly marks: SourceMarks
}

interface Cost {
  readonly inputTokens: number
  readonly outputTokens: number
}

const totalOf = ({ inputTokens, outputTokens }: Cost): number => inputTokens + outputTokens

const addCost = (one: Cost, other: Cost): Cost => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
})

const NOTHING: Cost = { inputTokens: 0, outputTokens: 0 }

export interface Estimate extends Cost {
  readonly batches: number
  readonly turns: number
}

/** What reading all that is unread would cost; a part of it once the signal fires. `onBatch`: called with the turns so far. Rejects if a source cannot be read. */
export const estimateAll = async (
  hermes: Hermes,
  material: Material,
  { signal, onBatch }: { readonly signal: AbortSignal; readonly onBatch: (turns: number) => void },
): Promise<Result<Estimate>> => {
  let cost = NOTHING
  let batches = 0
  let turns = 0
  for await (const batch of planBatches(material.sources, material.kind, material.known)) {
    if (signal.aborted) break
    const estimated = await hermes.learn.estimate(batch.turns, turns)
    if (!estimated.ok) return estimated
    cost = addCost(cost, estimated.value)
    batches += 1
    turns += batch.turns.length
    onBatch(turns)
  }
  return ok({ ...cost, batches, turns })
}

interface LearnedBatch {
  readonly turns: number
  readonly outcome: ReviewOutcome
}

export interface LearnRunReport {
  readonly batches: readonly LearnedBatch[]
  readonly cost: Cost
  /** Why it ended before all was read. */
  readonly stopped?: 'interrupted' | 'max-tokens' | 'busy'
  /** The error of the batch that failed: it is read again. */
  readonly failure?: HermesError
}

export interface LearnLimits {
  readonly learnId: string
  readonly model: HostModel
  readonly maxTokens: number | undefined
  /** Milliseconds to wait for another review of the home, which has the lease of a killed process for a minute. */
  readonly busyMs: number
  /** Fires when the person stops it: after the current batch. */
  readonly signal: AbortSignal
  readonly onBatch: (done: number) => void
}

/** With whether another follows. */
async function* withNext(batches: AsyncIterable<Batch>): AsyncGenerator<Batch & { readonly isLast: boolean }> {
  let held: Batch | undefined
  for await (const batch of batches) {
    if (held) yield { ...held, isLast: false }
    held = batch
  }
  if (held) yield { ...held, isLast: true }
}

const learnBatch = async (
  hermes: Hermes,
  { turns, read, isLast, marks }: Batch & { readonly isLast: boolean; readonly marks: SourceMarks },
  { learnId, model }: LearnLimits,
): Promise<{ readonly cost: Cost; readonly result: Result<LearnedBatch> | 'busy' | 'interrupted' }> => {
  let cost = NOTHING
  const run = await hermes.learn.batch(
    { learnId, turns, read, isLast, marks },
    {
      model,
      onCost: ({ inputTokens, outputTokens }) => {
        cost = { inputTokens, outputTokens }
      },
    },
  )
  if (!run.ok) return { cost, result: run }
  const { value } = run
  if (value.kind === 'reviewed') return { cost, result: ok({ turns: turns.length, outcome: value.outcome }) }
  if (value.kind === 'busy') return { cost, result: 'busy' }
  return value.kind === 'stopped'
    ? { cost, result: 'interrupted' }
    : { cost, result: err(new HermesError('invalid', 'Learning needs a model.')) }
}

const LOOK_AGAIN_MS = 500

/** Tries again while another review is running. */
const whenFree = async (learn: () => ReturnType<typeof learnBatch>, { busyMs, signal }: LearnLimits): ReturnType<typeof learnBatch> => {
  for (let waited = 0; ; waited += LOOK_AGAIN_MS) {
    const learned = await learn()
    if (learned.result !== 'busy' || waited >= busyMs || signal.aborted) return learned
    await pause(LOOK_AGAIN_MS)
  }
}

/** Rejects if a source cannot be read; what was learned before is learned. */
export const learnAll = async (hermes: Hermes, material: Material, limits: LearnLimits): Promise<LearnRunReport> => {
  const { maxTokens = Number.POSITIVE_INFINITY, signal, onBatch } = limits
  const batches: LearnedBatch[] = []
  const marks = new Map(material.marks)
  let cost = NOTHING
  for await (const batch of withNext(planBatches(material.sources, material.kind, material.known))) {
    if (signal.aborted) return { batches, cost, stopped: 'interrupted' }
    if (maxTokens < Number.POSITIVE_INFINITY) {
      const next = await hermes.learn.estimate(batch.turns)
      if (!next.ok) return { batches, cost, failure: next.error }
      if (totalOf(cost) + totalOf(next.value) > maxTokens) return { batches, cost, stopped: 'max-tokens' }
    }
    const learned = await whenFree(() => learnBatch(hermes, { ...batch, marks }, limits), limits)
    cost = addCost(cost, learned.cost)
    const { result } = learned
    if (result === 'busy' || result === 'interrupted') return { batches, cost, stopped: result }
    if (!result.ok) return { batches, cost, failure: result.error }
    batches.push(result.value)
    for (const [digest, turns] of batch.read) marks.set(digest, { turns, learnId: limits.learnId })
    onBatch(batches.length)
  }
  return { batches, cost }
}
