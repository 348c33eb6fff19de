/** One pass of a review: builds the request, calls the proposer, and applies its proposals. */
import type { ReviewGate } from '../gate/review-gate.ts'
import type { Journal } from '../journal/journal.ts'
import type { Pending, PendingProposal } from '../journal/pending.ts'
import { countUsedChars } from '../memory/memory-document.ts'
import type { EntryFacts, MemoryOp, MemoryTarget } from '../memory/memory-op.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import { cutMiddle } from '../model/cut-text.ts'
import type { HostModel } from '../model/host-model.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import { UNITS_PER_TOKEN } from '../model/token-estimate.ts'
import { type ReviewProposal, reviewProposalSchema } from '../proposal/review-proposal.ts'
import type { Transcript } from '../proposal/transcript.ts'
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { readEntries } from '../review/apply/ask-gate.ts'
import { decidedBefore } from '../review/apply/decided-before.ts'
import type { SkillDisposeDeps } from '../review/apply/dispose-deps.ts'
import { amongEntries, ownEntries } from '../review/own-words-pass.ts'
import { inputShares } from '../review/propose/input-shares.ts'
import { estimateReview, type ModelProposerOptions, modelProposer } from '../review/propose/model-proposer.ts'
import { isNearlyFull, type StoreUsage } from '../review/propose/prompts/review-request.ts'
import { isAboutMemory, isAboutSkills, type ReviewKind, type ReviewProposer } from '../review/propose/review-proposer.ts'
import { arrangeShelf, changeable, readShelfSource, type SkillShelf } from '../review/propose/skill-shelf.ts'
import { type DisposeStores, reviewAndLearn } from '../review/review-and-learn.ts'
import type { ReviewOutcome } from '../review/review-outcome.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { isOwnOrigin } from '../shared/origin.ts'
import { readOnce } from '../shared/read-once.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { SkillOp } from '../skills/skill-op.ts'
import { CALLED_OFF, type DueReview, type ReviewSettings } from './review-request.ts'
import type { ReviewStores } from './session-home.ts'

/** Facts of the entries, read only if the reviewer is shown them. */
const factsOf = async (store: MemoryStore, target: MemoryTarget, usage: StoreUsage): Promise<readonly EntryFacts[]> => {
  if (!isNearlyFull(usage.usedChars, usage.charLimit)) return []
  const facts = await store.facts(target)
  return facts.ok ? facts.value : []
}

/** The entries that a pass may see, with how full the stores are, and facts that are shown with their entries. */
const describeStores = async (store: MemoryStore, sight: 'own' | 'outside') => {
  const { entries: all, origins } = await readEntries(store)
  const entries = sight === 'own' ? ownEntries(all, origins) : all
  const usageOf = (target: MemoryTarget) => ({ usedChars: countUsedChars(entries[target]), charLimit: store.charLimit(target) })
  const usage = { memory: usageOf('memory'), user: usageOf('user') }
  const facts = {
    memory: await factsOf(store, 'memory', usage.memory),
    user: await factsOf(store, 'user', usage.user),
  }
  return { entries, usage, facts, ...(sight === 'outside' ? { origins } : {}) }
}

const describeOp = (op: MemoryOp): string => {
  if (op.action === 'add') return op.content
  return op.action === 'remove' ? `(removed) ${op.oldText}` : `${op.content} (instead of: ${op.oldText})`
}

const memoryOpOf = (proposal: unknown): MemoryOp | undefined => {
  const parsed = reviewProposalSchema.safeParse(proposal)
  return parsed.success && parsed.data.target !== 'skill' ? parsed.data.op : undefined
}

/** For the second pass, a line each: what the first pass wrote and what it left pending. Rejected proposals are omitted. */
const describeOutcome = ({ applied, held }: ReviewOutcome): readonly string[] =>
  [...applied, ...held].flatMap(({ proposal }) => memoryOpOf(proposal) ?? []).map(describeOp)

const memoryLine = (op: MemoryOp): string => (op.action === 'remove' ? op.oldText : op.content)

const skillText = (op: SkillOp): string => (op.action === 'patch' ? op.newText : 'content' in op ? op.content : '')

const skillLine = (op: SkillOp): string => {
  const file = 'filePath' in op && op.filePath !== undefined ? `, ${op.filePath}` : ''
  return `${op.action} the skill ${op.name}${file}: ${skillText(op)}`
}

/** One line for each pending operation, as shown to the next reviewer. */
const describeHeld = (held: PendingProposal): readonly string[] =>
  held.target === 'skill' ? held.ops.map(skillLine) : held.ops.map(memoryLine)

export interface ReviewPassDeps {
  readonly sessionId: string
  /** For the journal. */
  readonly reviewId: string
  readonly settings: ReviewSettings
  readonly gate: ReviewGate
  readonly createMemoryStore: (onFailure: (error: HermesError) => void) => MemoryStore
  /** Undefined if skills are switched off. */
  readonly skills: Omit<SkillDisposeDeps, 'shown' | 'onWritten' | 'loaded'> | undefined
  readonly journal: Journal
  readonly pending: Pending
  readonly clock: Clock
  /** Called once for each pass that called a model. */
  readonly onCost: (cost: LearningCost) => void
  readonly onFailure: (error: HermesError, operation: string) => void
  /** Decides and writes in one update, over stores of its own. `pass`: the last one ends the review in the same update. */
  readonly write: (
    pass: Pick<Pass, 'isLast' | 'done'>,
    dispose: (stores: ReviewStores) => Promise<Result<ReviewOutcome>>,
  ) => Promise<Result<ReviewOutcome>>
}

export interface Pass {
  /** No other pass follows. */
  readonly isLast: boolean
  readonly kind: ReviewKind
  readonly mode: ReviewSettings['mode']
  readonly transcript: Transcript
  /** What was said before the transcript. */
  readonly earlier: Transcript
  /** Estimated tokens; see `ModelProposerOptions.aimTokens`. */
  readonly aimTokens: number
  readonly sight: 'own' | 'outside'
  /** Outcome of the earlier pass over the user's own words. */
  readonly done?: ReviewOutcome
  readonly maxInputTokens: number
  readonly timeoutMs: number
}

/** Fails if the review was cancelled, even if the model ignores its signal and still answers. */
const unlessStopped =
  (proposer: ReviewProposer, stopping: AbortSignal): ReviewProposer =>
  async (summary) => {
    const proposed = await proposer(summary)
    return stopping.aborted ? err(CALLED_OFF) : proposed
  }

/** The session in which the user said a quote; otherwise the first that contains it. A page may repeat what the user said elsewhere. */
const sessionOfEvidence = ({ evidence = [] }: ReviewProposal, { conversation }: DueReview): string | undefined => {
  const quotes = evidence.map(({ quote }) => quote.trim())
  const holds = ({ text }: TurnMessage) => quotes.some((quote) => text.includes(quote))
  const said = conversation.find(({ messages }) => messages.some((message) => isOwnMessage(message) && holds(message)))
  return (said ?? conversation.find(({ messages }) => messages.some(holds)))?.sessionId
}

const textOf = (transcript: Transcript, maxTokens: number): string =>
  cutMiddle(transcript.map(({ text }) => text).join('\n'), maxTokens * UNITS_PER_TOKEN)

export interface PassRunner {
  /** Resolves to the outcome and the estimated tokens of the first model call. */
  runPass(pass: Pass): Promise<Result<{ readonly outcome: ReviewOutcome; readonly tokens: number }>>
  /** Pending proposals and skills are read once for all passes; this drops them after a change. */
  forgetRead(): void
}

export const passRunner = (deps: ReviewPassDeps, due: DueReview, model: HostModel, stopping: AbortSignal): PassRunner => {
  const { sessionId, reviewId, settings, gate, journal, pending, clock, onFailure } = deps

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
      .filter(({ origin }) => sight === 'outside' || isOwnOrigin(origin))
      .flatMap(describeHeld)
  }

  const readShelf = async ({ kind, maxInputTokens, sight }: Pass, conversation: string): Promise<Result<SkillShelf> | undefined> => {
    const source = isAboutSkills(kind) ? await readSource.read() : undefined
    if (!source?.ok) return source
    const maxUnits = inputShares(maxInputTokens, kind, settings.maxProposals).skills
    return ok(await arrangeShelf(source.value, { conversation, maxUnits, loaded: due.loadedSkills, ownOnly: sight === 'own' }))
  }

  const runPass = async (pass: Pass): Promise<Result<{ readonly outcome: ReviewOutcome; readonly tokens: number }>> => {
    const { mode, transcript, earlier, aimTokens, sight, maxInputTokens, timeoutMs, done } = pass
    const summary = textOf(transcript, maxInputTokens)
    const shelf = await readShelf(pass, textOf([...earlier, ...transcript], maxInputTokens))
    if (shelf?.ok === false) {
      if (!due.scope.words) return shelf
      onFailure(shelf.error, 'read skills')
    }
    // If skills cannot be read, memory is still reviewed.
    const kind = shelf?.ok ? pass.kind : 'memory'
    // A separate store: its failed attempts do not count as the agent's.
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
    const dispose = (over: ReviewStores): DisposeStores => ({
      store: over.createMemoryStore((error) => onFailure(error, 'load memory')),
      ...(over.skills && shelf?.ok ? { skills: { ...over.skills, ...changeable(shelf.value), loaded: new Set(due.loadedSkills) } } : {}),
      journal: over.journal,
      pending: over.pending,
      waiting: over.pending,
    })
    const outcome = await reviewAndLearn(summary, {
      proposer: amongEntries(unlessStopped(modelProposer(options), stopping), shown.entries),
      gate,
      store,
      asOne: (work) => deps.write(pass, (over) => work(dispose(over))),
      holdsUnwritten: due.isLastTry,
      ...(due.isRetry ? { wasDecided: decidedBefore({ journal, clock, onFailure }) } : {}),
      sessionId,
      reviewId,
      sessionOf: (proposal) => sessionOfEvidence(proposal, due),
      actor: 'review',
      model: () => answeredBy,
      pass: sight === 'own' ? 'own-words' : 'everything',
      context: () => ({ transcript: [...transcript, ...earlier], sight }),
      onFailure,
    })
    return outcome.ok ? ok({ outcome: outcome.value, tokens: estimateReview(summary, options) }) : outcome
  }

  return {
    runPass,
    forgetRead() {
      readPending.forget()
      readSource.forget()
    },
  }
}
