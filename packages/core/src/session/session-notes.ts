/** What a process notes of a session until it is saved: turns, steps, counts, whose words were said, what was recalled. */
import { hydrateCount } from '../nudge/review-state.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { readJsonDocument } from '../storage/json-document.ts'
import type { LoadedRecord } from './load-record.ts'
import { OwnWords } from './own-words.ts'
import { NO_PROOF } from './proof.ts'
import { boundRecalled, mergeRecalled, type RecalledTurn } from './recalled-turns.ts'
import type { SessionHome } from './session-home.ts'
import { addDelta, joinDeltas, noDelta, type SessionDelta, type SessionRecord, sessionPath, sessionRecordSchema } from './session-record.ts'
import { type FinishedTurn, newestTurn, OpenTurns, splitTurn, turnsBeforeLast } from './turn.ts'
import { TurnBuffer } from './turn-buffer.ts'

interface FinishedStep {
  readonly calledTools: boolean
  readonly turnFinished: boolean
  readonly reply: readonly TurnMessage[]
}

export type StateHome = Pick<SessionHome, 'storage' | 'clock' | 'options' | 'counts'>

export class SessionNotes {
  protected readonly home: StateHome
  protected readonly found: LoadedRecord
  protected readonly own: OwnWords
  protected readonly turns: OpenTurns
  protected readonly buffer: TurnBuffer
  protected record: SessionRecord
  protected frozen: string
  protected written: boolean
  protected delta: SessionDelta = noDelta
  /** True if something is to be saved. */
  unsaved: boolean
  protected forgotten = false
  /** What the host showed for the newest finished turn, until it is saved. */
  protected shown: readonly TurnMessage[] | undefined
  /** Used if no text is stored. */
  protected unkept: readonly RecalledTurn[] = []

  /** `isTrusted`: the host vouches for the tool of this result. */
  constructor(home: StateHome, found: LoadedRecord, isTrusted: (message: TurnMessage) => boolean) {
    const { loaded, isOurs, isWritten } = found
    this.home = home
    this.found = found
    this.record = loaded
    this.frozen = loaded.block
    this.written = isWritten
    this.unsaved = !isWritten
    this.own = new OwnWords(loaded.proof ?? NO_PROOF, isTrusted)
    this.turns = new OpenTurns(loaded)
    this.buffer = new TurnBuffer(
      this.own,
      home.options.keepText,
      async () => (this.written ? (await this.read())?.proof : undefined),
      !isOurs,
    )
  }

  /** The frozen text. A text that was sent in a prompt stays in use in this process, whatever other processes store. */
  get block(): string {
    return this.frozen
  }

  /** What was recalled for the user's messages, as far as this process knows, oldest first. */
  get recalled(): readonly RecalledTurn[] {
    return this.home.options.keepText ? (this.record.recalled ?? []) : this.unkept
  }

  /** True if text from outside was in sight in this session. */
  async isTainted(): Promise<boolean> {
    return this.record.tainted || this.buffer.holdsOutside()
  }

  /** See `OwnWords.prove`. */
  prove(messages: readonly TurnMessage[], opens?: boolean): Promise<readonly TurnMessage[]> {
    return this.own.prove(messages, opens)
  }

  /** What a model had answered when its call was interrupted: the host may show the beginning of it. */
  noteInterrupted(reply: readonly TurnMessage[]): void {
    this.own.noteAnswer(reply, true)
    this.unsaved = true
  }

  /** A tool of this session gave out this result, which shows nothing from outside. `did`: what the call did. */
  noteResult(result: string, did: string): void {
    this.own.noteResult(result, did)
    this.unsaved = true
  }

  /** Adds what other processes have saved. Never rejects; on failure nothing is added. */
  async reloadRecalled(): Promise<void> {
    const read = this.home.options.keepText ? await this.read() : undefined
    if (this.forgotten || !read?.recalled) return
    this.record = { ...this.record, recalled: mergeRecalled(read.recalled, this.record.recalled ?? []) }
  }

  /** Saved with the next step. */
  noteRecalled(turn: RecalledTurn): void {
    if (this.forgotten) return
    if (!this.home.options.keepText) {
      this.unkept = boundRecalled([...this.unkept, turn])
      return
    }
    // A turn that is aborted needs no save of its own.
    const { unsaved } = this
    this.count({ ...noDelta, recalled: [turn] })
    this.unsaved = unsaved
  }

  /** True if `beginTurn` would begin one. */
  startsTurn(prompt: readonly TurnMessage[]): boolean {
    return this.turns.startsTurn(prompt, this.record.userTurns)
  }

  /** True if `prompt` begins a turn. The turn counts when it finishes. */
  beginTurn(prompt: readonly TurnMessage[]): boolean {
    const begun = this.turns.begin(prompt, this.record.userTurns)
    if (begun) {
      this.own.noteOpener(prompt)
      this.#hydrate(prompt)
    }
    return begun
  }

  /** `said`: the prompt of the step and the reply. Returns the turn that it finished, if any. */
  endStep(said: readonly TurnMessage[], { calledTools, turnFinished, reply }: FinishedStep): FinishedTurn | undefined {
    this.own.noteAnswer(reply)
    if (calledTools) this.turns.noteTools(said)
    this.count({ turns: 0, iterations: calledTools ? 1 : 0 })
    return turnFinished ? this.#finish(this.turns.finish(said), said) : undefined
  }

  /** Counts a turn that the host reports as a whole. */
  recordTurn(messages: readonly TurnMessage[], toolIterations: number, before: readonly TurnMessage[] = []): void {
    if (!this.buffer.knowsEarlier) this.buffer.setEarlier([])
    this.own.noteOpener(messages)
    this.own.noteAnswer(splitTurn(newestTurn(messages) ?? []).rest)
    this.count({ turns: 0, iterations: toolIterations })
    this.#finish({ messages, worked: toolIterations > 0, before }, [...before, ...messages])
  }

  /** Notes a skill that the agent loaded; the next skill review shows these first. */
  noteLoadedSkill(name: string): void {
    this.count({ ...noDelta, loadedSkills: [name] })
  }

  /** From now on, text from outside is in sight. Saved with the next save. */
  taint(): void {
    if (!this.record.tainted) this.count({ ...noDelta, tainted: true })
  }

  /** `shown`: the text that this process sent in the last prompt; undefined if it has sent none. */
  replaceBlock(text: string, shown: string | undefined): void {
    const sent = shown ?? (this.record.userTurns > 0 ? this.frozen : text)
    this.frozen = text
    const changed = sent === text ? {} : { changed: { times: 1, at: this.home.clock(), turns: 0 } }
    this.count({ ...noDelta, block: text, ...changed })
  }

  /** The record in the storage; undefined if there is none, or none that can be read. */
  protected async read(): Promise<SessionRecord | undefined> {
    const read = await readJsonDocument(this.home.storage, sessionPath(this.record.id), sessionRecordSchema)
    return read.ok ? read.value : undefined
  }

  protected count(more: SessionDelta): void {
    this.delta = joinDeltas(this.delta, more)
    this.record = addDelta(this.record, more, this.record.updatedAt)
    this.unsaved = true
  }

  /** Counts and queues the earlier turns of a session that starts with a history (the host's record outlived ours). */
  #hydrate(prompt: readonly TurnMessage[]): void {
    if (this.buffer.knowsEarlier) return
    const { reviewed } = this.found
    const before = turnsBeforeLast(prompt)
    const { memoryInterval } = this.home.options.intervals
    const sinceReview = reviewed ? this.record.userTurns - reviewed.turns : hydrateCount(before.length, memoryInterval)
    this.buffer.setEarlier(sinceReview > 0 ? before.slice(-sinceReview) : [])
    if (!reviewed && before.length > 0) this.count({ ...noDelta, earlier: { turns: before.length, sinceReview } })
  }

  #finish(turn: FinishedTurn | undefined, saw: readonly TurnMessage[]): FinishedTurn | undefined {
    if (!turn) return undefined
    this.count({ turns: 1, iterations: 0 })
    this.buffer.add(turn)
    this.shown = saw
    return turn
  }
}
