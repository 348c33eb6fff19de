/** Runs a review behind the turn: transcript → host model → gate → stores → journal, told to the host as events. */
import type { ReviewGate } from '../gate/review-gate.ts'
import type { Journal } from '../journal/journal.ts'
import type { Pending } from '../journal/pending.ts'
import { countUsedChars } from '../memory/char-budget.ts'
import type { EntryFacts } from '../memory/entry-facts.ts'
import type { MemoryTarget } from '../memory/memory-op.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import type { HostModel } from '../model/host-model.ts'
import { countUnits, UNITS_PER_TOKEN } from '../model/token-estimate.ts'
import { stampTranscript } from '../proposal/stamp-transcript.ts'
import { describeHeld } from '../review/describe-held.ts'
import { readGateContext } from '../review/dispose-deps.ts'
import { inputShares } from '../review/input-shares.ts'
import { modelProposer } from '../review/model-proposer.ts'
import { isNearlyFull } from '../review/prompts/nearly-full.ts'
import type { StoreUsage } from '../review/prompts/review-request.ts'
import { reviewAndLearn } from '../review/review-and-learn.ts'
import { isAboutMemory, isAboutSkills, type ReviewKind } from '../review/review-kind.ts'
import type { ReviewProposer } from '../review/review-proposer.ts'
import type { SkillDisposal } from '../review/skill-disposal.ts'
import { readSkillShelf, type SkillShelf } from '../review/skill-shelf.ts'
import { digestTranscript } from '../review/transcript.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, type Result } from '../shared/result.ts'
import type { DueReview } from './due-review.ts'
import type { HermesEvent } from './hermes-event.ts'
import type { ReviewFate } from './review-lease.ts'
import { isShownIn } from './unread-turns.ts'

export interface ReviewSettings {
  readonly mode: 'digest' | 'replay'
  /** A model for reviews only; the host's own otherwise. */
  readonly model?: HostModel | undefined
  readonly maxInputTokens: number
  readonly maxOutputTokens: number
  /** Where skills are reviewed; never less than `maxOutputTokens`. */
  readonly maxSkillOutputTokens: number
  readonly timeoutMs: number
  readonly maxProposals: number
}

export interface ReviewDeps {
  readonly sessionId: string
  readonly settings: ReviewSettings
  readonly gate: ReviewGate
  readonly createMemoryStore: (onFailure: (error: HermesError) => void) => MemoryStore
  /** Undefined where they are switched off. */
  readonly skills: Omit<SkillDisposal, 'shown' | 'onWritten'> | undefined
  readonly journal: Journal
  readonly pending: Pending
  readonly trustedTools: ReadonlySet<string>
  /** Names under which the session's own tools were offered. */
  readonly ownTools: ReadonlySet<string>
  readonly clock: Clock
  /** Fires when nobody waits for reviews any more: the call of the model is aborted, and what it would have proposed is not written. */
  readonly stopping: AbortSignal
  readonly emit: (event: HermesEvent) => void
}

export interface ReviewScheduler {
  /** Never rejects for a failure of the model, the gate or the storage: those are events and journal records. */
  run(due: DueReview, hostModel: HostModel | undefined): Promise<ReviewFate>
}

const NO_MODEL = 'A review fell due, but there is no model. Pass one with the turn, or set review.model in createHermes.'

/** A replay sends the host's last prompt once more: it must show what is to be reviewed, and fit the budget. Otherwise the review reads a digest. */
const modeFor = ({ mode, model, maxInputTokens }: ReviewSettings, { conversation, shown }: DueReview): ReviewSettings['mode'] => {
  if (mode === 'digest' || model !== undefined) return 'digest'
  const units = shown.reduce((sum, message) => sum + countUnits(message.text), 0)
  return units / UNITS_PER_TOKEN <= maxInputTokens && isShownIn(conversation, shown) ? 'replay' : 'digest'
}

const CALLED_OFF = new HermesError('timeout', 'The review was called off, since Hermes is being closed or its session was forgotten.')

/** Nothing is written once the review was called off, also where the model ignores its signal and answers all the same. */
const unlessStopped =
  (proposer: ReviewProposer, stopping: AbortSignal): ReviewProposer =>
  async (summary) => {
    const proposed = await proposer(summary)
    return stopping.aborted ? err(CALLED_OFF) : proposed
  }

const kindOf = ({ memory, skills }: DueReview): ReviewKind => (memory && skills ? 'both' : skills ? 'skills' : 'memory')

/** What a review may change: what it was shown, and what it has written itself since. */
const readBefore = (shelf: SkillShelf): Pick<SkillDisposal, 'shown' | 'onWritten'> => {
  const shown = new Map(shelf.shown)
  return { shown, onWritten: (path, version) => shown.set(path, version) }
}

const usageOf = (store: MemoryStore, entries: Readonly<Record<MemoryTarget, readonly string[]>>, target: MemoryTarget): StoreUsage => ({
  usedChars: countUsedChars(entries[target]),
  charLimit: store.charLimit(target),
})

/** Read only where the reviewer is shown them. */
const factsOf = async (store: MemoryStore, target: MemoryTarget, { usedChars, charLimit }: StoreUsage): Promise<readonly EntryFacts[]> => {
  if (!isNearlyFull(usedChars, charLimit)) return []
  const facts = await store.facts(target)
  return facts.ok ? facts.value : []
}

export const reviewScheduler = (deps: ReviewDeps): ReviewScheduler => {
  const { sessionId, settings, gate, journal, pending, clock, stopping, emit } = deps

  const storageFailed = (error: HermesError, operation: string) =>
    emit({ type: 'storage-failed', sessionId, at: clock(), operation, error })

  const fail = async (error: HermesError) => {
    const { code, message } = error
    const written = await journal.append([
      { sessionId, actor: 'review', verdict: 'review-failed', reason: message, error: { code, message } },
    ])
    if (!written.ok) storageFailed(written.error, 'journal')
    emit({ type: 'review-failed', sessionId, at: clock(), error })
  }

  const waitingTexts = async (kind: ReviewKind): Promise<readonly string[]> => {
    const listed = await pending.list()
    if (!listed.ok) {
      storageFailed(listed.error, 'read pending')
      return []
    }
    return listed.value.filter(({ target }) => (target === 'skill' ? isAboutSkills(kind) : isAboutMemory(kind))).flatMap(describeHeld)
  }

  const readShelf = async (due: DueReview, kind: ReviewKind, conversation: string): Promise<Result<SkillShelf> | undefined> => {
    if (!deps.skills || !isAboutSkills(kind)) return undefined
    const { maxInputTokens, maxProposals } = settings
    const maxUnits = inputShares(maxInputTokens, kind, maxProposals).skills
    const read = { conversation, maxUnits, clock, loaded: due.loadedSkills, onFailure: storageFailed }
    return readSkillShelf({ ...deps.skills, ...read })
  }

  const review = async (due: DueReview, model: HostModel) => {
    const { maxInputTokens, timeoutMs, maxProposals } = settings
    const mode = modeFor(settings, due)
    const read = mode === 'replay' ? due.shown : due.conversation
    const transcript = stampTranscript(read, new Set([...deps.trustedTools, ...deps.ownTools]))
    const summary = digestTranscript(transcript, { maxInputTokens })
    const shelf = await readShelf(due, kindOf(due), summary)
    if (shelf?.ok === false) {
      if (!due.memory) return shelf
      storageFailed(shelf.error, 'read skills')
    }
    // Skills that cannot be read do not cost the review of memory.
    const kind = shelf?.ok ? kindOf(due) : 'memory'
    // A store of its own: its failed attempts are not the agent's.
    const store = deps.createMemoryStore((error) => storageFailed(error, 'load memory'))
    const context = () => readGateContext(store, transcript, true)
    const { entries } = await context()
    const usage = { memory: usageOf(store, entries, 'memory'), user: usageOf(store, entries, 'user') }
    const proposer = modelProposer({
      model,
      mode,
      kind,
      transcript,
      now: clock(),
      maxInputTokens,
      maxOutputTokens: isAboutSkills(kind) ? Math.max(settings.maxSkillOutputTokens, settings.maxOutputTokens) : settings.maxOutputTokens,
      timeoutMs,
      maxProposals,
      entries,
      usage,
      facts: { memory: await factsOf(store, 'memory', usage.memory), user: await factsOf(store, 'user', usage.user) },
      ...(shelf?.ok ? { library: shelf.value.text } : {}),
      waiting: await waitingTexts(kind),
      signal: stopping,
    })
    return reviewAndLearn(summary, {
      proposer: unlessStopped(proposer, stopping),
      gate,
      store,
      ...(deps.skills && shelf?.ok ? { skills: { ...deps.skills, ...readBefore(shelf.value) } } : {}),
      journal,
      pending,
      sessionId,
      actor: 'review',
      context,
      onFailure: storageFailed,
    })
  }

  return {
    async run(due, hostModel) {
      const { turns, iterations } = due
      emit({ type: 'review-started', sessionId, at: clock(), reviews: kindOf(due), turns, iterations })
      const model = settings.model ?? hostModel
      const outcome = model ? await review(due, model) : err(new HermesError('model', NO_MODEL))
      if (outcome.ok) {
        emit({ type: 'review-finished', sessionId, at: clock(), outcome: outcome.value })
        return 'read'
      }
      // What the gate was already asked about is written and journalled; then it is a failure as any other.
      if (stopping.aborted && outcome.error.code === 'timeout') {
        emit({ type: 'review-stopped', sessionId, at: clock() })
        return 'stopped'
      }
      await fail(outcome.error)
      return 'failed'
    },
  }
}
