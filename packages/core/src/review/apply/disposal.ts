/** What the proposals of one review, or of one call of the agent's tools, are judged by and written to, and how each result is recorded. */
import type { GateContext, ReviewGate, Verdict } from '../../gate/review-gate.ts'
import type { Journal, JournalRecordInput } from '../../journal/journal.ts'
import type { JournalRecord } from '../../journal/journal-record.ts'
import { type HoldRequest, type Pending, pendingId } from '../../journal/pending.ts'
import type { MemoryProposal, ReviewProposal, SkillProposal } from '../../proposal/review-proposal.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { leastTrusted, type Origin } from '../../shared/origin.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import type { SkillReader } from '../../skills/skill-reader.ts'
import type { SkillStore } from '../../skills/skill-store.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import type { UsageStore } from '../../usage/usage-store.ts'
import { type DisposedProposal, isStorageFailure } from '../review-outcome.ts'
import { askGate, gateFailed, messageOf, readEntries, type WritableMemory } from './ask-gate.ts'

export interface WritableSkills {
  /** The skills of the home, for writing and the reads that writing needs. */
  readonly store: SkillStore
  /** The skills that the agent sees: those of the store, then shared ones. Default: `store`. */
  readonly reader?: SkillReader
  readonly usage: UsageStore
  /** Holds the marks that show which skills came with the product, from a hub, or were handed over. */
  readonly storage: StorageBackend
  /** Determines which grants of a person are still valid. Default: the system clock. */
  readonly clock?: Clock
  /**
   * An unattended review may change only what it was shown in full: document path (such as `skills/devops/deploy/SKILL.md`) → version shown. Undefined: not
   * checked, for calls in front of the user.
   */
  readonly shown?: ReadonlyMap<string, string>
  /** Names of the skills that the session under review had loaded. Default: none. */
  readonly loaded?: ReadonlySet<string>
  /** Called with each written file and its new version: the writer knows that text as if it had been shown. */
  readonly onWritten?: (path: string, version: string) => void
}

export interface DisposalOptions {
  readonly gate: ReviewGate
  readonly store: WritableMemory
  /** Where skills are written. Default: a proposal for a skill fails with `disabled`. */
  readonly skills?: WritableSkills | undefined
  /**
   * The gate's context, requested for each proposal. Missing fields are read from the store; without a context there is no transcript, and only the agent's
   * own calls are attended.
   */
  readonly context?: () => Partial<GateContext> | Promise<Partial<GateContext>>
  readonly journal?: Pick<Journal, 'append'> | undefined
  /** The queue of held proposals. What the pass over the user's own words writes no longer waits there. */
  readonly pending?: Pick<Pending, 'hold' | 'list' | 'remove'> | undefined
  /** An approved change that the storage fails to write is held: no later review tries it again. Default false: it fails. */
  readonly holdsUnwritten?: boolean
  /** For a review that reads turns again: the journal that tells whether a person has decided the same already. */
  readonly decisions?: Pick<Journal, 'list'> | undefined
  readonly sessionId?: string | undefined
  /** The session that holds a proposal's evidence. Default: `sessionId`. */
  readonly sessionOf?: (proposal: ReviewProposal) => string | undefined
  /** The review under way, for the journal. */
  readonly reviewId?: string
  /** The proposing model, as its provider names it; undefined if unknown. Recorded with what is written to skills. */
  readonly model?: () => string | undefined
  /** What the reviewer was shown, for the journal. */
  readonly pass?: JournalRecord['pass']
  /** Default `review`. */
  readonly actor?: JournalRecord['actor']
  /** Default: the system clock. */
  readonly clock?: Clock
  /** Called if a journal or a queue could not be read or written. */
  readonly onFailure?: ((error: HermesError, operation: string) => void) | undefined
  /** What the gate has answered, for proposals that are disposed of again if others have written meanwhile. Default: none yet. */
  readonly answers?: Map<string, Verdict>
}

/** One proposal for a skill, or those on one store of memory that are written together or not at all. */
export type Together = readonly [SkillProposal] | readonly [MemoryProposal, ...MemoryProposal[]]

/** The result of each. */
export type Results = readonly [DisposedProposal, ...DisposedProposal[]]

const eachOf = ([first, ...more]: Together, toResult: (proposal: ReviewProposal) => DisposedProposal): Results => [
  toResult(first),
  ...[...more].map(toResult),
]

/** Result of a proposal, as recorded in the journal. */
export type RecordedResult = Pick<JournalRecord, 'kind' | 'reason'> &
  Partial<Pick<JournalRecord, 'previous' | 'facts' | 'evicted' | 'pendingId' | 'raw'>> & { readonly error?: HermesError }

const describeProposal = ({ target, op, rationale, score, evidence }: ReviewProposal): Partial<JournalRecordInput> => ({
  target,
  op,
  score,
  ...(rationale === '' ? {} : { rationale }),
  ...(evidence && evidence.length > 0 ? { evidence: evidence.map(({ messageId, quote }) => ({ messageId, quote })) } : {}),
})

const projectOf = (target: ReviewProposal['target'], { project }: Pick<WritableMemory, 'project'> = {}): { readonly project?: string } =>
  project === undefined || target === 'memory' || target === 'user' ? {} : { project }

export const toRecord = (
  {
    sessionId,
    reviewId,
    actor = 'review',
    pass,
    model: modelOf,
    store,
  }: Pick<DisposalOptions, 'sessionId' | 'reviewId' | 'actor' | 'pass' | 'model'> & { readonly store?: Pick<WritableMemory, 'project'> },
  { error, ...recorded }: RecordedResult,
  proposal?: ReviewProposal,
  verdict?: Verdict,
): JournalRecordInput => {
  const model = proposal?.target === 'skill' ? modelOf?.() : undefined
  return {
    actor,
    ...recorded,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(reviewId === undefined ? {} : { review: reviewId }),
    ...(pass === undefined ? {} : { pass }),
    ...(proposal ? describeProposal(proposal) : {}),
    ...(proposal ? projectOf(proposal.target, store) : {}),
    ...(verdict?.origin === undefined ? {} : { origin: verdict.origin }),
    ...(model === undefined ? {} : { model }),
    ...(error ? { error: { code: error.code, message: error.message } } : {}),
  }
}

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
  readonly #answers: Map<string, Verdict>

  constructor(options: DisposalOptions) {
    this.options = options
    this.actor = options.actor ?? 'review'
    this.#answers = options.answers ?? new Map()
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
    const known = this.#answers.get(question)
    if (known) return ok(known)
    const answer = await askGate(this.options.gate, proposal, context)
    if (answer.ok) this.#answers.set(question, answer.value)
    return answer
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

  async reject(proposals: Together, reason: string, verdicts: readonly Verdict[] = []): Promise<Results> {
    await this.#record({ kind: 'rejected', reason }, proposals, verdicts)
    return eachOf(proposals, (proposal) => ({ kind: 'rejected', proposal, reason }))
  }

  /** They wait for a person, unless one has decided the same already. `base`: the version of a skill's file. */
  async hold(proposals: Together, reason: string, verdicts: readonly Verdict[], base?: string | null): Promise<Results> {
    if (await this.#wasDecided(proposals)) return this.reject(proposals, DECIDED, verdicts)
    const { pending, sessionId, model } = this.options
    const skill = base === undefined ? {} : { base, model: model?.() }
    const more = { ...projectOf(proposals[0].target, this.options.store), ...skill }
    const request = { proposals, reason, origin: originOf(verdicts), sessionId, ...more } as HoldRequest
    const kept = pending ? await this.guarded('pending', () => pending.hold(request)) : undefined
    const where = kept ? { pendingId: kept.id } : {}
    await this.#record({ kind: 'held', reason, ...where }, proposals, verdicts)
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
