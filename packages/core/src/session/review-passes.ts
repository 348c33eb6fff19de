/** The passes of one review: each builds its request, calls the proposer, and applies its proposals. */
import { targetsOf } from '../memory/memory-op.ts'
import { cutMiddle } from '../model/cut-text.ts'
import type { HostModel } from '../model/host-model.ts'
import { UNITS_PER_TOKEN } from '../model/token-estimate.ts'
import type { ReviewProposal } from '../proposal/review-proposal.ts'
import type { Transcript } from '../proposal/transcript.ts'
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { Disposal } from '../review/apply/disposal.ts'
import { noAnswers } from '../review/apply/disposal-options.ts'
import { amongEntries } from '../review/own-words-pass.ts'
import { inputShares } from '../review/propose/input-shares.ts'
import { estimateReview, type ModelProposerOptions, modelProposer } from '../review/propose/model-proposer.ts'
import { doneLines, waitingLines } from '../review/propose/prompts/review-request.ts'
import { isAboutMemory, isAboutSkills } from '../review/propose/review-proposer.ts'
import { arrangeShelf, changeable, readShelfSource, type SkillShelf } from '../review/propose/skill-shelf.ts'
import { disposeAll, readProposals } from '../review/review-and-learn.ts'
import { MIN_INPUT_TOKENS } from '../review/review-limits.ts'
import { emptyOutcome, hasWritten, joinOutcomes, type ReviewOutcome } from '../review/review-outcome.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { isOwnOrigin } from '../shared/origin.ts'
import { readOnce } from '../shared/read-once.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { type Pass, planPasses } from './plan-passes.ts'
import { CALLED_OFF, type DueReview, type TurnToRead } from './review-request.ts'
import type { PassLimits, ReviewUnderWay } from './review-under-way.ts'
import type { ReviewStores } from './session-home.ts'
import { describeStores } from './shown-memory.ts'

/** The session in which the user said a quote; otherwise the first that contains it. A page may repeat what the user said elsewhere. */
const sessionOfEvidence = ({ evidence = [] }: ReviewProposal, conversation: readonly TurnToRead[]): string | undefined => {
  const quotes = evidence.map(({ quote }) => quote.trim())
  const holds = ({ text }: TurnMessage) => quotes.some((quote) => text.includes(quote))
  const said = conversation.find(({ messages }) => messages.some((message) => isOwnMessage(message) && holds(message)))
  return (said ?? conversation.find(({ messages }) => messages.some(holds)))?.sessionId
}

const textOf = (transcript: Transcript, maxTokens: number): string =>
  cutMiddle(transcript.map(({ text }) => text).join('\n'), maxTokens * UNITS_PER_TOKEN)

export class ReviewPasses {
  readonly #review: ReviewUnderWay
  readonly #model: HostModel
  // Read once for all passes, and again after a change.
  readonly #pending = readOnce(() => this.#review.pending.list())
  readonly #skills = readOnce(() => {
    const { skills, clock, onFailure } = this.#review
    return skills && readShelfSource({ ...skills, clock, onFailure })
  })

  constructor(review: ReviewUnderWay, model: HostModel) {
    this.#review = review
    this.#model = model
  }

  /** All passes. What earlier passes wrote stays, even if a later one fails: the error's `details.ownWords` is their outcome. */
  async run(): Promise<Result<ReviewOutcome>> {
    const { due, settings, clock } = this.#review
    const startedAt = clock()
    const passes = planPasses(due, settings)
    const ofProject = new Map<string | undefined, ReviewOutcome>()
    let tokens = 0
    let before = emptyOutcome()
    for (const [index, pass] of passes.entries()) {
      const isFirst = index === 0
      if (hasWritten(before)) this.forgetRead()
      // One deadline and one token budget for all passes.
      const ran = await this.runPass(pass, {
        isLast: index === passes.length - 1,
        done: ofProject.get(pass.project),
        before,
        timeoutMs: isFirst ? settings.timeoutMs : Math.max(1, settings.timeoutMs - Math.max(0, clock() - startedAt)),
        maxInputTokens: isFirst ? settings.maxInputTokens : Math.max(MIN_INPUT_TOKENS, settings.maxInputTokens - tokens),
      })
      if (!ran.ok) {
        const { code, message, cause, details } = ran.error
        return isFirst ? ran : err(new HermesError(code, message, { cause, details: { ...details, ownWords: before } }))
      }
      ofProject.set(pass.project, ran.value.outcome)
      before = joinOutcomes(before, ran.value.outcome)
      tokens += ran.value.tokens
    }
    return ok(before)
  }

  /** Estimated tokens of the requests, as memory is now, and their number. Asks no model, writes nothing. */
  async estimate(): Promise<{ readonly inputTokens: number; readonly requests: number }> {
    const { due, settings } = this.#review
    let inputTokens = 0
    const passes = planPasses(due, settings)
    for (const [index, pass] of passes.entries()) {
      const left = index === 0 ? settings.maxInputTokens : Math.max(MIN_INPUT_TOKENS, settings.maxInputTokens - inputTokens)
      const limits = { isLast: false, timeoutMs: settings.timeoutMs, maxInputTokens: left }
      const { summary, request } = await this.#prepare(pass, limits, await this.#shelfOf(pass, limits))
      inputTokens += estimateReview(summary, request)
    }
    return { inputTokens, requests: passes.length }
  }

  /** What a pass shows its reviewer. */
  async #prepare(pass: Pass, limits: PassLimits, shelf: Result<SkillShelf> | undefined) {
    const { onFailure, createMemoryStore } = this.#review
    // A separate store: its failed attempts do not count as the agent's.
    const { shown, profile } = await describeStores(
      createMemoryStore((error) => onFailure(error, 'load memory'), pass.project),
      pass.sight,
    )
    const request: ModelProposerOptions = { ...(await this.#requestOf(pass, limits, shelf?.ok ? shelf.value : undefined)), ...shown }
    return { summary: textOf(pass.transcript, limits.maxInputTokens), request, profile }
  }

  /** Resolves to the outcome and the estimated tokens of the first model call. */
  async runPass(pass: Pass, limits: PassLimits): Promise<Result<{ readonly outcome: ReviewOutcome; readonly tokens: number }>> {
    const { due, stopping, write, onFailure } = this.#review
    const { project, transcript, earlier, sight } = pass
    const { isLast, done = emptyOutcome(), before = done } = limits
    const shelf = await this.#shelfOf(pass, limits)
    if (shelf?.ok === false) {
      if (!due.scope.words) return shelf
      onFailure(shelf.error, 'read skills')
    }
    const changes = shelf?.ok ? changeable(shelf.value, { ...due, failedUses: this.#failedIn(pass) }) : undefined
    const { summary, request, profile } = await this.#prepare(pass, limits, shelf)
    let answeredBy: string | undefined
    const options: ModelProposerOptions = {
      ...request,
      onCost: (cost) => {
        answeredBy = cost.model
        this.#review.onCost(cost)
      },
    }
    const read = await readProposals(summary, amongEntries(modelProposer(options), request.entries, profile))
    // Also if the model ignores its signal and still answers.
    if (stopping.aborted) return err(CALLED_OFF)
    if (!read.ok) return read
    const how = {
      ...this.#disposalOptions(pass),
      model: () => answeredBy,
      context: () => ({ transcript: [...transcript, ...earlier], sight }),
      answers: noAnswers(),
    }
    const dispose = ({ createMemoryStore: open, skills, journal, pending }: ReviewStores) => {
      const store = open((error) => onFailure(error, 'load memory'), project)
      return disposeAll(
        read.value,
        new Disposal({ ...how, store, skills: skills && changes && { ...skills, ...changes }, journal, pending }),
      )
    }
    const outcome = await write(dispose, { isLast, done: before })
    return outcome.ok ? ok({ outcome: outcome.value, tokens: estimateReview(summary, options) }) : outcome
  }

  /** What failed in the sessions of a pass, as far as it may be told. */
  #failedIn({ project, hidesFailures }: Pass): DueReview['failedUses'] {
    if (hidesFailures) return []
    const { conversation, failedUses } = this.#review.due
    const sessions = new Set(conversation.filter((turn) => turn.project === project).map(({ sessionId }) => sessionId))
    return failedUses.filter(({ sessionId }) => sessions.has(sessionId))
  }

  forgetRead(): void {
    this.#pending.forget()
    this.#skills.forget()
  }

  #disposalOptions({ project, sight }: Pass) {
    const { due, gate, evaluate, journal, clock, sessionId, reviewId, onFailure } = this.#review
    const conversation = due.conversation.filter((turn) => turn.project === project)
    return {
      gate,
      evaluate,
      clock,
      sessionId,
      reviewId,
      onFailure,
      holdsUnwritten: due.isLastTry,
      decisions: due.isRetry ? journal : undefined,
      sessionOf: (proposal: ReviewProposal) => sessionOfEvidence(proposal, conversation),
      pass: sight === 'own' ? 'own-words' : 'everything',
    } as const
  }

  async #requestOf(
    pass: Pass,
    { maxInputTokens, timeoutMs, done }: PassLimits,
    shelf: SkillShelf | undefined,
  ): Promise<Omit<ModelProposerOptions, 'entries' | 'usage'>> {
    const { settings, clock, stopping } = this.#review
    // If skills cannot be read, memory is still reviewed.
    const kind = shelf ? pass.kind : 'memory'
    const { mode, transcript, earlier, aimTokens, sight } = pass
    return {
      model: this.#model,
      mode,
      kind,
      transcript,
      earlier,
      now: clock(),
      timeZone: settings.timeZone,
      maxInputTokens,
      aimTokens,
      maxOutputTokens: isAboutSkills(kind) ? Math.max(settings.maxSkillOutputTokens, settings.maxOutputTokens) : settings.maxOutputTokens,
      timeoutMs,
      maxProposals: settings.maxProposals,
      ...(shelf ? { library: shelf.text } : {}),
      waiting: await this.#waitingTexts({ ...pass, kind }),
      showsOutside: sight === 'outside',
      ...(done ? { done: doneLines(done) } : {}),
      signal: stopping,
      clock,
    }
  }

  async #waitingTexts({ kind, sight, project }: Pick<Pass, 'kind' | 'sight' | 'project'>): Promise<readonly string[]> {
    const listed = await this.#pending.read()
    if (!listed.ok) {
      this.#review.onFailure(listed.error, 'read pending')
      return []
    }
    return (
      listed.value
        .filter(({ target }) => (target === 'skill' ? isAboutSkills(kind) : isAboutMemory(kind)))
        .filter(({ origin }) => sight === 'outside' || isOwnOrigin(origin))
        // What waits from another project is none of this one's.
        .filter((held) => held.project === undefined || held.project === project)
        .flatMap(waitingLines)
    )
  }

  /** Undefined if the pass is not about skills, or they are switched off. */
  async #shelfOf(pass: Pass, { maxInputTokens }: PassLimits): Promise<Result<SkillShelf> | undefined> {
    const { kind, project, transcript, earlier, sight } = pass
    const source = isAboutSkills(kind) ? await this.#skills.read() : undefined
    if (!source?.ok) return source
    const { due, settings } = this.#review
    const conversation = textOf([...earlier, ...transcript], maxInputTokens)
    const maxUnits = inputShares(maxInputTokens, kind, settings.maxProposals, targetsOf({ project }).length).skills
    return ok(
      await arrangeShelf(source.value, {
        conversation,
        maxUnits,
        loaded: due.loadedSkills,
        failed: this.#failedIn(pass),
        ownOnly: sight === 'own',
      }),
    )
  }
}
