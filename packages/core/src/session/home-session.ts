/** One session of a home: the frozen text, the counters, the agent's tools, and the work behind the turn. Implements the contract of `Session`. */
import { readModelId } from '../model/learning-cost.ts'
import type { ReviewProposal } from '../proposal/review-proposal.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { sanitizeContext } from '../provider/context-fence.ts'
import type { ReviewOutcome } from '../review/review-outcome.ts'
import { pause } from '../shared/pause.ts'
import type { Result } from '../shared/result.ts'
import type { WiringFailure } from './hermes-event.ts'
import { LazySession } from './lazy-session.ts'
import { type Learned, LearnedNotes } from './learned.ts'
import { askedTexts, type ModelToolCall } from './nested-run.ts'
import type { RecordRedactor } from './record-redaction.ts'
import type { ReviewRun } from './review-request.ts'
import {
  areMessages,
  type BlockOptions,
  type CompletedTurn,
  type EndOptions,
  type OpenOptions,
  problemOfMessages,
  problemOfStep,
  problemOfTurn,
  type Session,
  type StepEnd,
  type StepStart,
  type SwitchReason,
  type ToolOffer,
} from './session.ts'
import { otherProject, SessionContext } from './session-context.ts'
import type { OwnedSession, SessionHome } from './session-home.ts'
import { SessionRecall } from './session-recall.ts'
import { SessionTools } from './session-tools.ts'
import { SkillCounts } from './tool-calls.ts'
import { newestTurn, wordsOf } from './turn.ts'

const SWITCH_REASONS: ReadonlySet<unknown> = new Set(['compress', 'branch', 'new'])

export class HomeSession implements OwnedSession {
  readonly id: string
  readonly #home: SessionHome
  readonly #context: SessionContext
  readonly #open: LazySession
  readonly #recall: SessionRecall
  readonly #counts: SkillCounts
  readonly #tools: SessionTools
  readonly #learned = new LearnedNotes()
  // Prompts of runs without a person. Adapters pass the same array to each method for one model call.
  readonly #automated = new WeakSet<readonly TurnMessage[]>()

  constructor(home: SessionHome, id: string, { project, checkpoint }: OpenOptions = {}) {
    this.id = id
    this.#home = home
    this.#context = new SessionContext(home, id, project)
    this.#open = new LazySession(this.#context, checkpoint)
    this.#recall = new SessionRecall(this.#context, this.#open)
    this.#counts = new SkillCounts(this.#context, this.#open)
    this.#tools = new SessionTools(this.#context, this.#open, this.#counts)
  }

  get idle(): boolean {
    return this.#context.tasks.idle && this.#context.endings.idle && this.#open.state?.unsaved !== true
  }

  isOf(project: string | undefined): boolean {
    if (this.#context.misplaced) return false
    if (project === undefined || project === this.#context.project) return true
    if (!this.#open.isBegun) return false
    throw new TypeError(otherProject(this.id, project, this.#context.project))
  }

  systemBlock(options?: BlockOptions): Promise<string> {
    return this.#open.systemBlock(options)
  }

  refresh(): Promise<string> {
    return this.#open.refresh()
  }

  recall(...asked: Parameters<Session['recall']>): ReturnType<Session['recall']> {
    return this.#recall.recall(...asked)
  }

  beginStep(prompt: readonly TurnMessage[], about: StepStart = {}): void {
    if (this.#context.isMisuse('beginStep', problemOfMessages('The prompt', prompt))) return
    this.#noteActivity()
    if (this.#context.nesting.begin(prompt, about.nested, this.#open.state?.openTurns.wasAsked(prompt))) return
    const shown = this.#recall.seen(prompt)
    this.#context.openTurn = shown
    this.#context.modelId = readModelId(about.modelId)
    if (about.automated === true) this.#automated.add(prompt)
    if (about.offered) this.#context.trust.noteOffered(about.offered)
    this.#open.whenReady((state) => {
      if (!state.beginTurn(shown)) return
      this.#recall.turnBegan(prompt)
      this.#context.memory.newTurn()
      this.#counts.turnBegan(state)
    })
  }

  noteToolCall(call: ModelToolCall): void {
    this.#context.nesting.noteCall(call)
    this.#open.whenReady((state) => state.openTurns.noteAsked(askedTexts(call.input)))
  }

  noteInterrupted(prompt: readonly TurnMessage[], reply: readonly TurnMessage[]): void {
    if (this.#context.isMisuse('noteInterrupted', problemOfMessages("'prompt' and 'reply'", prompt, reply))) return
    this.#context.nesting.noteInterrupted(prompt, reply)
    if (this.#context.nesting.isNestedStep(prompt)) return
    this.#open.whenReady((state) => {
      state.noteInterrupted(reply)
      this.#open.saves.request()
    })
  }

  endStep(step: StepEnd): void {
    if (this.#context.isMisuse('endStep', problemOfStep(step))) return
    const { openTurn, nesting } = this.#context
    const { prompt, turnFinished, calledTools, reply, model } = step
    if (nesting.end(prompt ?? openTurn ?? [], turnFinished, reply)) return
    const said = [...(prompt ? this.#recall.seen(prompt) : (openTurn ?? [])), ...reply]
    const isAutomated = prompt !== undefined && this.#automated.has(prompt)
    this.#open.saves.countTokens(said, step.usage)
    this.#context.openTurn = turnFinished ? undefined : said
    this.#noteActivity()
    this.#open.whenReady((state) => {
      const turn = state.endStep(said, { calledTools, turnFinished, reply })
      if (turn) this.#tellTurn(turn.messages, isAutomated)
      if (turnFinished) this.#counts.turnEnded(turn?.messages ?? newestTurn(said) ?? [], state)
      this.#open.saves.request(model)
    })
  }

  recordTurn(turn: CompletedTurn): void {
    if (this.#context.isMisuse('recordTurn', problemOfTurn(turn))) return
    const { messages, before = [], toolIterations = 0, model } = turn
    if (this.#context.nesting.isNested(messages)) return
    this.#open.saves.countTokens(messages, turn.usage)
    this.#context.openTurn = undefined
    this.#noteActivity()
    this.#open.whenReady((state) => {
      this.#context.memory.newTurn()
      this.#recall.turnBegan(messages)
      state.recordTurn(this.#recall.seen(messages), toolIterations, this.#recall.seen(before))
      this.#tellTurn(messages, turn.automated === true)
      this.#counts.turnEnded(messages, state)
      this.#open.saves.request(model)
    })
  }

  takeLearned(prompt?: readonly TurnMessage[]): Learned | undefined {
    const isForNobody = prompt && (this.#automated.has(prompt) || this.#context.nesting.isNestedStep(prompt))
    return isForNobody ? undefined : this.#learned.take()
  }

  noteLearned(outcome: ReviewOutcome): void {
    this.#learned.note(outcome, this.#context.project)
  }

  submit(proposal: ReviewProposal, messages?: readonly TurnMessage[]): ReturnType<Session['submit']> {
    return this.#tools.submit(proposal, messages)
  }

  offerTools(offer?: ToolOffer): ReturnType<Session['offerTools']> {
    return this.#tools.offer(offer)
  }

  async beforeCompress(messages: readonly TurnMessage[]): Promise<string> {
    const provider = areMessages(messages) ? await this.#open.provider() : undefined
    if (!provider) return ''
    const shown = messages.map(({ role, text }) => ({ role, text: sanitizeContext(text) }))
    const text = await provider.beforeCompress(this.#context.place, shown)
    this.#context.tasks.run(() => this.#tellEnd())
    return text
  }

  switchTo(id: string, reason: SwitchReason): Session {
    if (!SWITCH_REASONS.has(reason)) throw new TypeError("switchTo takes a reason: 'compress', 'branch' or 'new'.")
    const next = this.#home.session(id, this.#context.project)
    // A summary or a copy shows again what was in sight before.
    if (reason !== 'new') next.goesOn(this.#open.isTainted(), this.#open.project())
    this.#context.tasks.run(async () => {
      await (await this.#open.provider())?.sessionSwitched({ from: this.id, to: id, ...this.#context.ofProject, reason })
    })
    return next
  }

  goesOn(...from: Parameters<OwnedSession['goesOn']>): void {
    this.#open.goesOn(...from)
  }

  reportWiring(failure: WiringFailure): void {
    this.#context.reportWiring(failure)
  }

  end({ minTurns, signal }: EndOptions = {}): Promise<Result<ReviewRun>> {
    return this.#context.endings.resultOf(async () => {
      await this.#open.saves.settled()
      await this.#tellEnd()
      const { counts: saved, shown } = this.#open.state?.lastSaved ?? {}
      const reviews = await this.#home.reviews()
      if (!reviews.ok) return reviews
      return reviews.value.review(
        { why: 'end', saved, ...this.#context.ofProject, shown, minTurns },
        { sessionId: this.id, model: this.#open.saves.model, signal },
      )
    })
  }

  async settled(): Promise<void> {
    await this.#open.saves.settled()
    await this.#context.endings.settled()
  }

  forget(): Promise<void> {
    this.#context.nesting.forget()
    this.#context.provider = undefined
    this.#learned.forget()
    return this.#open.forget()
  }

  redact(redactor: RecordRedactor): Promise<void> {
    this.#learned.redact(redactor)
    return this.#open.redact(redactor)
  }

  /** The time is written behind the turn's save, which matters more. */
  #noteActivity(): void {
    const record = this.#home.activity?.note()
    if (!record) return
    this.#context.tasks.run(async () => {
      await pause()
      await this.#open.saves.done
      const written = await record()
      if (!written.ok) this.#context.failed('record activity', written.error)
    })
  }

  /** Hands a finished turn to the memory provider, behind the turn. */
  #tellTurn(messages: readonly TurnMessage[], automated: boolean): void {
    if (!this.#context.provider) return
    this.#context.tasks.run(async () => this.#context.provider?.turnFinished({ ...this.#context.place, ...wordsOf(messages), automated }))
  }

  /** Resolves when the end of the conversation is stored for delivery. */
  async #tellEnd(): Promise<void> {
    await (await this.#open.providerOfBegun())?.sessionEnded(this.#context.place)
  }
}
