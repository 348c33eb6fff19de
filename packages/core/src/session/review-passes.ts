/** One review as its passes: over the own words alone, then over everything where text from outside has come in (DESIGN 5). */
import type { ReviewGate } from '../gate/review-gate.ts'
import type { Journal } from '../journal/journal.ts'
import type { Pending } from '../journal/pending.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import { cutMiddle } from '../model/cut-text.ts'
import type { HostModel } from '../model/host-model.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import { UNITS_PER_TOKEN } from '../model/token-estimate.ts'
import type { ReviewProposal } from '../proposal/review-proposal.ts'
import { holdsOutsideText, stampTranscript, stampTurns } from '../proposal/stamp-transcript.ts'
import type { Transcript } from '../proposal/transcript.ts'
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { describeHeld } from '../review/apply/describe-held.ts'
import { describeOutcome } from '../review/apply/describe-outcome.ts'
import type { SkillDisposeDeps } from '../review/apply/dispose-deps.ts'
import { amongEntries, holdsOwnWords, ownTranscript } from '../review/own-words-pass.ts'
import { inputShares } from '../review/propose/input-shares.ts'
import { estimateReview, type ModelProposerOptions, modelProposer } from '../review/propose/model-proposer.ts'
import type { ReviewProposer } from '../review/propose/review-proposer.ts'
import { arrangeShelf, changeable, readShelfSource, type SkillShelf } from '../review/propose/skill-shelf.ts'
import { reviewAndLearn } from '../review/review-and-learn.ts'
import { isAboutMemory, isAboutSkills, type ReviewKind } from '../review/review-kind.ts'
import { MIN_INPUT_TOKENS } from '../review/review-limits.ts'
import { emptyOutcome, hasWritten, joinOutcomes, type ReviewOutcome } from '../review/review-outcome.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { readOnce } from '../shared/read-once.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { describeStores } from './describe-stores.ts'
import type { DueReview, TurnToRead } from './due-review.ts'
import { earlierTurns, stampEarlier } from './earlier-turns.ts'
import { aimOf, kindOfPass, type ReviewSettings, reviewMode } from './review-settings.ts'

export interface ReviewPassDeps {
  readonly sessionId: string
  readonly settings: ReviewSettings
  readonly gate: ReviewGate
  readonly createMemoryStore: (onFailure: (error: HermesError) => void) => MemoryStore
  /** Undefined where they are switched off. */
  readonly skills: Omit<SkillDisposeDeps, 'shown' | 'onWritten' | 'loaded'> | undefined
  readonly journal: Journal
  readonly pending: Pending
  readonly clock: Clock
  /** Called once for each pass that called a model. */
  readonly onCost: (cost: LearningCost) => void
  readonly onFailure: (error: HermesError, operation: string) => void
}

interface Pass {
  readonly kind: ReviewKind
  readonly mode: ReviewSettings['mode']
  readonly transcript: Transcript
  /** What was said before it. */
  readonly earlier: Transcript
  /** Estimated tokens; see `ModelProposerOptions.aimTokens`. */
  readonly aimTokens: number
  readonly sight: 'own' | 'outside'
  /** What the pass over the own words did before. */
  readonly done?: ReviewOutcome
  readonly maxInputTokens: number
  readonly timeoutMs: number
}

/** What trusted tools answered is marked already, by the session that knows them. */
const NO_NAMES: ReadonlySet<string> = new Set()

const CALLED_OFF = new HermesError(
  'timeout',
  'The review was called off, since Hermes is being closed, or its session or a text was forgotten.',
)

/** Nothing is written once the review was called off, also where the model ignores its signal and answers all the same. */
const unlessStopped =
  (proposer: ReviewProposer, stopping: AbortSignal): ReviewProposer =>
  async (summary) => {
    const proposed = await proposer(summary)
    return stopping.aborted ? err(CALLED_OFF) : proposed
  }

/** The session in which the user said a quote; else the first in which it stands. A page may repeat what the user said elsewhere. */
const sessionOfEvidence = ({ evidence = [] }: ReviewProposal, { conversation }: DueReview): string | undefined => {
  const quotes = evidence.map(({ quote }) => quote.trim()).filter((quote) => quote !== '')
  const holds = ({ text }: TurnMessage) => quotes.some((quote) => text.includes(quote))
  const said = conversation.find(({ messages }) => messages.some((message) => isOwnMessage(message) && holds(message)))
  return (said ?? conversation.find(({ messages }) => messages.some(holds)))?.sessionId
}

const textOf = (transcript: Transcript, maxTokens: number): string =>
  cutMiddle(transcript.map(({ text }) => text).join('\n'), maxTokens * UNITS_PER_TOKEN)

/** What the first pass did stays done, whatever the second one fails on. */
const withOutcome = ({ code, message, cause, details }: HermesError, first: ReviewOutcome): HermesError =>
  new HermesError(code, message, { cause, details: { ...details, ownWords: first } })

export const runReviewPasses = async (
  deps: ReviewPassDeps,
  due: DueReview,
  model: HostModel,
  stopping: AbortSignal,
): Promise<Result<ReviewOutcome>> => {
  const { sessionId, settings, gate, journal, pending, clock, onFailure } = deps

  // Read once for both passes, unless the first one has changed it.
  const readPending = readOnce(() => pending.list())
  const readSource = readOnce(() => (deps.skills ? readShelfSource({ ...deps.skills, clock, onFailure }) : undefined))

  const waitingTexts = async ({ kind, sight }: Pass): Promise<readonly string[]> => {
    const listed = await readPending.read()
    if (!listed.ok) {
      onFailure(listed.error, 'read pending')
      return []
    }
    return listed.value
      .filter(({ target }) => (target === 'skill' ? isAboutSkills(kind) : isAboutMemory(kind)))
      .filter(({ origin }) => sight === 'outside' || origin === 'user' || origin === 'assistant')
      .flatMap(describeHeld)
  }

  const readShelf = async ({ kind, maxInputTokens }: Pass, conversation: string): Promise<Result<SkillShelf> | undefined> => {
    const source = isAboutSkills(kind) ? await readSource.read() : undefined
    if (!source?.ok) return source
    const maxUnits = inputShares(maxInputTokens, kind, settings.maxProposals).skills
    return ok(await arrangeShelf(source.value, { conversation, maxUnits, loaded: due.loadedSkills }))
  }

  /** The outcome, and the estimated tokens of its first call. */
  const runPass = async (pass: Pass): Promise<Result<{ readonly outcome: ReviewOutcome; readonly tokens: number }>> => {
    const { mode, transcript, earlier, aimTokens, sight, maxInputTokens, timeoutMs, done } = pass
    const summary = textOf(transcript, maxInputTokens)
    const shelf = await readShelf(pass, textOf([...earlier, ...transcript], maxInputTokens))
    if (shelf?.ok === false) {
      if (!due.scope.words) return shelf
      onFailure(shelf.error, 'read skills')
    }
    // Skills that cannot be read do not cost the review of memory.
    const kind = shelf?.ok ? pass.kind : 'memory'
    // A store of its own: its failed attempts are not the agent's.
    const store = deps.createMemoryStore((error) => onFailure(error, 'load memory'))
    const shown = await describeStores(store, pass.sight)
    let answeredBy: string | undefined
    const options: ModelProposerOptions = {
      model,
      mode,
      kind,
      transcript,
      earlier,
      now: clock(),
      maxInputTokens,
      aimTokens,
      maxOutputTokens: isAboutSkills(kind) ? Math.max(settings.maxSkillOutputTokens, settings.maxOutputTokens) : settings.maxOutputTokens,
      timeoutMs,
      maxProposals: settings.maxProposals,
      ...shown,
      ...(shelf?.ok ? { library: shelf.value.text } : {}),
      waiting: await waitingTexts({ ...pass, kind }),
      showsOutside: sight === 'outside',
      ...(done ? { done: describeOutcome(done) } : {}),
      signal: stopping,
      clock,
      onCost: (cost) => {
        answeredBy = cost.model
        deps.onCost(cost)
      },
    }
    const outcome = await reviewAndLearn(summary, {
      proposer: amongEntries(unlessStopped(modelProposer(options), stopping), shown.entries),
      gate,
      store,
      ...(deps.skills && shelf?.ok ? { skills: { ...deps.skills, ...changeable(shelf.value), loaded: new Set(due.loadedSkills) } } : {}),
      journal,
      pending,
      waiting: pending,
      sessionId,
      sessionOf: (proposal) => sessionOfEvidence(proposal, due),
      actor: 'review',
      model: () => answeredBy,
      pass: sight === 'own' ? 'own-words' : 'everything',
      context: () => ({ transcript: [...transcript, ...earlier], sight }),
      onFailure,
    })
    return outcome.ok ? ok({ outcome: outcome.value, tokens: estimateReview(summary, options) }) : outcome
  }

  const startedAt = clock()
  const { maxInputTokens, timeoutMs } = settings
  const stampedFor = (reads: (turn: TurnToRead) => boolean) =>
    stampTurns(
      due.conversation.filter((turn) => reads(turn)),
      NO_NAMES,
    )
  const own = ownTranscript(stampedFor(({ readers }) => readers.words || readers.skills))
  // The end of a short conversation: what came from outside waits for the next review that is due by count.
  if (!due.scope.everything && !due.scope.skills) {
    if (!holdsOwnWords(own)) return ok(emptyOutcome())
    const words = { kind: 'memory', mode: 'digest', transcript: own, earlier: [], sight: 'own' } as const
    const only = await runPass({ ...words, aimTokens: aimOf({ ...words, isFirstOfTwo: false }), maxInputTokens, timeoutMs })
    return only.ok ? ok(only.value.outcome) : only
  }
  const unread = stampedFor(({ outsideWaits }) => outsideWaits !== true)
  const mode = reviewMode(settings, due)
  const transcript = mode === 'replay' ? stampTranscript(due.shown, NO_NAMES, { tainted: due.tainted }) : unread
  const sight = holdsOutsideText(unread) || holdsOutsideText(transcript) ? 'outside' : 'own'
  const { words, everything: outside, skills } = due.scope
  // What came from outside is read for memory where that pass is due, and once.
  const kind = kindOfPass({ memory: sight === 'own' ? words : outside, skills })
  const ownKind = kindOfPass({ memory: words, skills })
  // What came before was reviewed for memory, and a replay shows it anyway.
  const isShown = isAboutSkills(kind) && mode === 'digest'
  const earlier = stampEarlier(isShown ? earlierTurns(due.shown, due.conversation) : undefined, NO_NAMES)
  const everything: Pass = {
    kind,
    mode,
    transcript,
    earlier: sight === 'own' ? earlier.own : earlier.all,
    aimTokens: aimOf({ kind, sight, transcript, isFirstOfTwo: false }),
    sight,
    maxInputTokens,
    timeoutMs,
  }
  if (sight === 'own' || !holdsOwnWords(own)) {
    const only = await runPass(everything)
    return only.ok ? ok(only.value.outcome) : only
  }
  const first = await runPass({
    ...everything,
    kind: ownKind,
    mode: 'digest',
    transcript: own,
    earlier: earlier.own,
    aimTokens: aimOf({ kind: ownKind, sight: 'own', transcript: own, isFirstOfTwo: true }),
    sight: 'own',
  })
  if (!first.ok) return first
  const { outcome: done, tokens } = first.value
  if (hasWritten(done)) {
    readPending.forget()
    readSource.forget()
  }
  // One deadline and one budget for both.
  const left = {
    timeoutMs: Math.max(1, timeoutMs - Math.max(0, clock() - startedAt)),
    maxInputTokens: Math.max(MIN_INPUT_TOKENS, maxInputTokens - tokens),
  }
  const second = await runPass({ ...everything, ...left, done })
  return second.ok ? ok(joinOutcomes(done, second.value.outcome)) : err(withOutcome(second.error, done))
}
