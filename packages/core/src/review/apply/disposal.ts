/** What the proposals of one review, or of one call of the agent's tools, are judged by and written to, and how each result is recorded. */

import type { SkillEvaluation } from '../../evaluation/skill-evaluator.ts'
import type { GateContext, Verdict } from '../../gate/review-gate.ts'
import type { JournalRecordInput } from '../../journal/journal.ts'
import type { JournalRecord } from '../../journal/journal-record.ts'
import { type HoldRequest, pendingId } from '../../journal/pending.ts'
import type { ReviewProposal, SkillProposal } from '../../proposal/review-proposal.ts'
import { systemClock } from '../../shared/clock.ts'
import { HermesError, messageOf } from '../../shared/hermes-error.ts'
import { leastTrusted, type Origin } from '../../shared/origin.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import type { SkillStore } from '../../skills/skill-store.ts'
import { type DisposedProposal, isStorageFailure } from '../review-outcome.ts'
import { askGate, gateFailed, readEntries } from './ask-gate.ts'
import { type Answers, type DisposalOptions, noAnswers, type Results, type Together } from './disposal-options.ts'
import type { SkillPlan } from './skill-plan.ts'
import { projectOf, type RecordedResult, toRecord } from './to-record.ts'

const eachOf = ([first, ...more]: Together, toResult: (proposal: ReviewProposal) => DisposedProposal): Results => [
  toResult(first),
  ...[...more].map(toResult),
]

/** Awaits a side effect whose failure must not fail the caller: it is told to `onFailure`. */
export const guarded = async <T>(
  onFailure: DisposalOptions['onFailure'],
  operation: string,
  effect: () => Promise<Result<T>>,
): Promise<T | undefined> => {
  let failure: HermesError
  try {
    const result = await effect()
    if (result.ok) return result.value
    failure = result.error
  } catch (cause) {
    failure = new HermesError('io', `The ${operation} could not be written: ${messageOf(cause)}`, { cause })
  }
  onFailure?.(failure, operation)
  return undefined
}

/** The transcript is always the same one. */
const questionOf = (proposal: ReviewProposal, { transcript: _, ...context }: GateContext): string =>
  JSON.stringify([proposal, context], (_key, value: unknown) => (value instanceof Map ? [...value] : value))

export const originOf = (verdicts: readonly Verdict[]): Origin | undefined => leastTrusted(verdicts.flatMap(({ origin }) => origin ?? []))

const DECIDED = 'The same proposal has waited and was decided, so nobody is asked again.'

/** A failed review is followed sooner by the next. */
const RECENT_MS = 7 * 86_400_000

export class Disposal {
  readonly options: DisposalOptions
  readonly actor: JournalRecord['actor']
  readonly #answers: Answers

  constructor(options: DisposalOptions) {
    this.options = options
    this.actor = options.actor ?? 'review'
    this.#answers = options.answers ?? noAnswers()
  }

  /** The same for a proposal whose evidence may be in another session. */
  of(proposal: ReviewProposal): Disposal {
    const sessionId = this.options.sessionOf?.(proposal)
    return sessionId === undefined ? this : new Disposal({ ...this.options, sessionId, answers: this.#answers })
  }

  /** From the caller's context and the store. An error means that the gate cannot be asked. */
  async context(): Promise<Result<GateContext>> {
    const { context, store } = this.options
    try {
      const shown = await context?.()
      const known = shown?.entries ? { entries: shown.entries } : await readEntries(store)
      return ok({ transcript: [], unattended: this.actor !== 'agent', ...known, ...shown })
    } catch (cause) {
      return err(gateFailed(cause))
    }
  }

  /** Asks again only if the proposal or what is known of the stores differs, or if the gate failed: a host's gate may call a model. */
  async ask(proposal: ReviewProposal, context: GateContext): Promise<Result<Verdict>> {
    const question = questionOf(proposal, context)
    const known = this.#answers.verdicts.get(question)
    if (known) return ok(known)
    const answer = await askGate(this.options.gate, proposal, context)
    if (answer.ok) this.#answers.verdicts.set(question, answer.value)
    return answer
  }

  /** Asks again only if the proposal or the file differs. Undefined: the evaluator is not asked, or has nothing to say. */
  async evaluate(
    proposal: SkillProposal,
    plan: Pick<SkillPlan, 'op' | 'skill' | 'filePath' | 'current' | 'next'>,
    store: SkillStore,
    origin: Origin | undefined,
  ): Promise<SkillEvaluation | undefined> {
    const { evaluate } = this.options
    const { op, skill, filePath, current, next } = plan
    if (!evaluate || op.action === 'archive' || next === current?.text) return undefined
    const question = JSON.stringify([proposal.op, current?.text])
    const { evaluations } = this.#answers
    const change = { skill, isNew: op.action === 'create', files: new Map([[filePath, next]]) }
    if (!evaluations.has(question)) evaluations.set(question, await evaluate(proposal, change, store, origin))
    return evaluations.get(question)
  }

  guarded<T>(operation: string, effect: () => Promise<Result<T>>): Promise<T | undefined> {
    return guarded(this.options.onFailure, operation, effect)
  }

  /** What cannot be recorded is told to `onFailure`; over a transaction it is written together with the change, or neither is. */
  async append(records: readonly JournalRecordInput[]): Promise<void> {
    const { journal } = this.options
    if (journal && records.length > 0) await this.guarded('journal', () => journal.append(records))
  }

  #record(recorded: RecordedResult, proposals: Together, verdicts: readonly Verdict[]): Promise<void> {
    return this.append([...proposals].map((proposal, index) => toRecord(this.options, recorded, proposal, verdicts[index])))
  }

  async fail(proposals: Together, error: HermesError, verdicts: readonly Verdict[] = []): Promise<Results> {
    await this.#record({ kind: 'failed', reason: error.message, error }, proposals, verdicts)
    return eachOf(proposals, (proposal) => ({ kind: 'failed', proposal, error }))
  }

  async reject(
    proposals: Together,
    reason: string,
    verdicts: readonly Verdict[] = [],
    evaluated: Pick<RecordedResult, 'evaluation'> = {},
  ): Promise<Results> {
    await this.#record({ kind: 'rejected', reason, ...evaluated }, proposals, verdicts)
    return eachOf(proposals, (proposal) => ({ kind: 'rejected', proposal, reason }))
  }

  /** They wait for a person, unless one has decided the same already. `base`: the version of a skill's file. */
  async hold(
    proposals: Together,
    reason: string,
    verdicts: readonly Verdict[],
    base?: string | null,
    evaluated: Pick<RecordedResult, 'evaluation'> = {},
  ): Promise<Results> {
    if (await this.#wasDecided(proposals)) return this.reject(proposals, DECIDED, verdicts, evaluated)
    const { pending, sessionId, model } = this.options
    const skill = base === undefined ? {} : { base, model: model?.() }
    const more = { ...projectOf(proposals[0].target, this.options.store), ...skill }
    const request = { proposals, reason, origin: originOf(verdicts), sessionId, ...more } as HoldRequest
    const kept = pending ? await this.guarded('pending', () => pending.hold(request)) : undefined
    const where = kept ? { pendingId: kept.id } : {}
    await this.#record({ kind: 'held', reason, ...where, ...evaluated }, proposals, verdicts)
    return eachOf(proposals, (proposal) => ({ kind: 'held', proposal, reason, ...where }))
  }

  /** The review after a failed one may propose again what a person has decided between them. If the journal cannot be read: asking twice loses nothing. */
  async #wasDecided(proposals: Together): Promise<boolean> {
    const { decisions, clock = systemClock } = this.options
    if (!decisions) return false
    const ops = [...proposals].map(({ op }) => op)
    const id = await pendingId(proposals[0].target, ops, { project: this.options.store.project })
    const listed = await this.guarded('read journal', () => decisions.list({ id, since: clock() - RECENT_MS, limit: 1 }))
    return listed?.some(({ kind }) => kind !== 'held') ?? false
  }

  /** Why an approved change is held: no later review of these turns tries to write it again. Undefined if it fails. */
  whyHeld(error: HermesError): string | undefined {
    const { pending, holdsUnwritten = false } = this.options
    if (!pending || !holdsUnwritten || !isStorageFailure(error)) return undefined
    return `It was approved, but could not be written in several reviews: ${error.message} Approve it once that is repaired.`
  }
}
