/** The state of a session in this process, saved behind the turn in one update of its record and of the home's review state. */
import { hydrateCount } from '../nudge/nudge-intervals.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { ok, type Result } from '../shared/result.ts'
import { jsonBytes, jsonIn, readJsonDocument } from '../storage/json-document.ts'
import { HomeCounts } from './home-counts.ts'
import type { LoadedRecord } from './load-record.ts'
import { OwnWords } from './own-words.ts'
import { NOTHING_SAVED, planSave, type SavedSession } from './plan-save.ts'
import { mergeRecalled, type RecalledTurn } from './recalled-turns.ts'
import type { RecordRedactor } from './record-redaction.ts'
import type { StepEnd } from './session.ts'
import type { SessionHome } from './session-home.ts'
import { changeRecord, newSessionRecord, type RecordChange, type SessionRecord, sessionPath } from './session-record.ts'
import { sessionRecordSchema } from './session-record-schema.ts'
import type { ToolTrust } from './tool-trust.ts'
import { type FinishedTurn, newestTurn, type OpenTurns, splitTurn } from './turn.ts'
import { TurnBuffer } from './turn-buffer.ts'

export class SessionState {
  readonly #home: SessionHome
  readonly #reviewed: LoadedRecord['reviewed']
  readonly own: OwnWords
  readonly openTurns: OpenTurns
  readonly #buffer: TurnBuffer
  /** With all changes of this process. */
  #record: SessionRecord
  /** The record to which a save adds where the storage has none. */
  #base: SessionRecord
  #changes: readonly RecordChange[] = []
  // Turns from before the session began that are too old to be reviewed.
  #skipped: number | undefined
  #block: string
  #isStored: boolean
  #forgotten = false
  #saving: Promise<unknown> = Promise.resolve()
  #running = 0
  unsaved: boolean
  /** Results of the newest save in this process; `shown` only if no text is stored. */
  lastSaved: Pick<SavedSession, 'counts' | 'shown'> = NOTHING_SAVED

  constructor(home: SessionHome, found: LoadedRecord, trust: ToolTrust) {
    const { loaded, isOurs, isWritten } = found
    this.#home = home
    this.#reviewed = found.reviewed
    this.#record = loaded
    this.#base = loaded
    this.#block = loaded.block
    this.#isStored = isWritten
    this.unsaved = !isWritten
    this.own = new OwnWords(loaded.proof, trust)
    const readProof = async () => (this.#isStored ? (await this.#read())?.proof : undefined)
    this.#buffer = new TurnBuffer(this.own, loaded, home.options.keepText, readProof)
    this.openTurns = this.#buffer.open
    // A session that was found knows its turns.
    if (!isOurs) this.#buffer.earlier = []
  }

  /** The frozen text. A text that was sent in a prompt stays in use in this process, whatever other processes store. */
  get block(): string {
    return this.#block
  }

  /** What was recalled for the user's messages, as far as this process knows, oldest first. */
  get recalled(): readonly RecalledTurn[] {
    return this.#record.recalled ?? []
  }

  async isTainted(): Promise<boolean> {
    return this.#record.tainted || this.#buffer.holdsOutside()
  }

  /** What a model had answered when its call was interrupted: the host may show the beginning of it. */
  noteInterrupted(reply: readonly TurnMessage[]): void {
    this.own.noteAnswer(reply, true)
    this.unsaved = true
  }

  noteResult(result: string, did: string): void {
    this.own.noteResult(result, did)
    this.unsaved = true
  }

  /** Adds what other processes have saved. Never rejects; on failure nothing is added. */
  async reloadRecalled(): Promise<void> {
    const read = this.#home.options.keepText ? await this.#read() : undefined
    if (this.#forgotten || !read?.recalled) return
    this.#record = { ...this.#record, recalled: mergeRecalled(read.recalled, this.recalled) }
  }

  /** Saved with the next step, since a turn that is aborted needs no save of its own; kept in this process only if no text is stored. */
  noteRecalled(turn: RecalledTurn): void {
    if (this.#forgotten) return
    this.#record = changeRecord(this.#record, { recalled: turn })
    if (this.#home.options.keepText) this.#changes = [...this.#changes, { recalled: turn }]
  }

  /** True if `beginTurn` would begin one. */
  startsTurn(prompt: readonly TurnMessage[]): boolean {
    return this.#buffer.open.startsTurn(prompt, this.#record.userTurns)
  }

  /** True if `prompt` begins a turn. The turn counts when it finishes. */
  beginTurn(prompt: readonly TurnMessage[]): boolean {
    const { userTurns } = this.#record
    if (!this.#buffer.open.begin(prompt, userTurns)) return false
    this.own.noteOpener(prompt)
    const [reviewed, { intervals }] = [this.#reviewed?.turns, this.#home.options]
    const unreadOf = (turns: number) => (reviewed === undefined ? hydrateCount(turns, intervals.memoryInterval) : userTurns - reviewed)
    const earlier = this.#buffer.noteEarlier(prompt, unreadOf)
    if (earlier === 0 || reviewed !== undefined) return true
    this.#skipped = earlier - unreadOf(earlier)
    this.#change({ earlierTurns: earlier, finishedKeys: this.openTurns.noteFinished(this.#buffer.earlier ?? []) })
    return true
  }

  /** `said`: the prompt of the step and the reply. Returns the turn that it finished, if any. */
  endStep(
    said: readonly TurnMessage[],
    { calledTools, turnFinished, reply }: Pick<StepEnd, 'calledTools' | 'turnFinished' | 'reply'>,
  ): FinishedTurn | undefined {
    this.own.noteAnswer(reply)
    if (calledTools) this.#buffer.open.noteTools(said)
    const turn = turnFinished ? this.#buffer.open.finish(said) : undefined
    const finishedKeys = this.openTurns.noteFinished(turn ? [turn] : [])
    this.#change({ turns: turn ? 1 : 0, iterations: calledTools ? 1 : 0, finishedKeys })
    if (turn) this.#buffer.add(turn, said)
    return turn
  }

  /** Counts a turn that the host reports as a whole. */
  recordTurn(messages: readonly TurnMessage[], toolIterations: number, before: readonly TurnMessage[] = []): void {
    this.#buffer.earlier ??= []
    this.own.noteOpener(messages)
    this.own.noteAnswer(splitTurn(newestTurn(messages) ?? []).rest)
    this.#change({ turns: 1, iterations: toolIterations })
    this.#buffer.add({ messages, worked: toolIterations > 0, before }, [...before, ...messages])
  }

  /** Names of the skills that the open turn has loaded, in whichever process. */
  get loadedInTurn(): readonly string[] {
    return this.#record.loadedInTurn ?? []
  }

  noteSkills(change: Pick<RecordChange, 'loadedSkill' | 'loadedInTurn' | 'failedUses'>): void {
    this.#change(change)
  }

  /** From now on, text from outside is in sight. */
  taint(): void {
    if (!this.#record.tainted) this.#change({ tainted: true })
  }

  /** `shown`: the text that this process sent in the last prompt; undefined if it has sent none. */
  replaceBlock(text: string, shown: string | undefined): void {
    const sent = shown ?? (this.#record.userTurns > 0 ? this.#block : text)
    this.#block = text
    this.#change({ block: text, blockChangedAt: sent === text ? undefined : this.#home.clock() })
  }

  /** On failure, turns and counts are kept for the next save. `hostTokens`: of the host's own calls since the last turn was saved. */
  save(hostTokens = 0): Promise<Result<SavedSession>> {
    this.#running++
    const saving = this.#save(hostTokens).finally(() => this.#running--)
    // Without their results, which would hold the messages of every save.
    this.#saving = Promise.allSettled([this.#saving, saving]).then(() => undefined)
    return saving
  }

  /** Removes a text from unsaved data of this process, and from what its next save writes; one follows a save in progress, which writes what it took before. */
  redact(redactor: RecordRedactor): void {
    this.own.forgetTexts()
    this.#block = redactor.block(this.#block)
    this.#record = redactor.record(this.#record)
    this.#base = redactor.record(this.#base)
    if (this.#running > 0) this.unsaved = true
    if (this.unsaved || this.#changes.length > 0) this.#changes = [...this.#changes, { redact: redactor.record }]
    const isKept = (messages: readonly TurnMessage[]) => !redactor.holds(messages)
    this.#buffer.redact(isKept)
    this.lastSaved = { ...this.lastSaved, shown: this.lastSaved.shown?.filter((message) => isKept([message])) }
  }

  /** Nothing is saved after this call. Resolves when no save is running. */
  async forget(): Promise<void> {
    this.#forgotten = true
    this.own.forget()
    this.#buffer.forget()
    this.#record = { ...this.#record, recalled: [] }
    this.lastSaved = NOTHING_SAVED
    this.unsaved = false
    await this.#saving
  }

  async #save(hostTokens: number): Promise<Result<SavedSession>> {
    if (this.#forgotten) return ok(NOTHING_SAVED)
    const { clock, options } = this.#home
    const counts = new HomeCounts(this.#home)
    const path = sessionPath(this.#record.id)
    const [counted, skipped] = [this.#changes, this.#skipped]
    const at = clock()
    this.#changes = []
    this.unsaved = false
    const { shown, ...said } = await this.#buffer.take(this.#record.tainted)
    const proof = await this.own.take()
    const changes = proof ? [...counted, { proof }] : counted
    const saved = await counts.update([path], (state, cut) => {
      const current = jsonIn(cut, path, sessionRecordSchema)
      // The session was forgotten: a running save must not restore its turns.
      if (this.#forgotten || (current === undefined && this.#isStored)) return { value: undefined }
      const added = { changes, skipped, said, reviewed: this.#reviewed, at }
      const next = planSave(state, current, current ?? this.#base, added, options)
      const asked = shown && counts.askAfterTurn(state, next.counts, hostTokens, at)
      const put = { [path]: jsonBytes(path, next.record, sessionRecordSchema) }
      return { state: asked?.state ?? next.state, put, value: { ...next, asked } }
    })
    if (!saved.ok) {
      this.#changes = [...changes, ...this.#changes]
      this.#buffer.failed(said)
      this.unsaved = true
      return saved
    }
    if (!saved.value) {
      // A later turn starts a new record.
      this.#base = newSessionRecord(this.#record.id, this.#block, at, this.#record)
      this.#record = this.#base
      this.#isStored = false
      return ok(NOTHING_SAVED)
    }
    const { record, ...outcome } = saved.value
    this.#isStored = true
    this.#skipped = undefined
    const dropped = outcome.dropped + this.#buffer.saved()
    // Changes that were made during the save stay on top.
    this.#record = { ...this.#changes.reduce(changeRecord, record), ...(options.keepText ? {} : { recalled: this.recalled }) }
    this.lastSaved = { counts: outcome.counts, shown: options.keepText ? undefined : (shown ?? this.lastSaved.shown) }
    return ok({ ...outcome, shown, dropped })
  }

  /** The record in the storage; undefined if there is none, or none that can be read. */
  async #read(): Promise<SessionRecord | undefined> {
    const read = await readJsonDocument(this.#home.storage, sessionPath(this.#record.id), sessionRecordSchema)
    return read.ok ? read.value : undefined
  }

  #change(change: RecordChange): void {
    this.#changes = [...this.#changes, change]
    this.#record = changeRecord(this.#record, change)
    this.unsaved = true
  }
}
