/** The state of a session in this process, saved behind the turn in one update of its record and of the home's review state. */
import type { AskedReview } from '../nudge/decide-review.ts'
import type { SavedCounts } from '../nudge/review-state.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { ok, type Result } from '../shared/result.ts'
import { jsonBytes, jsonIn } from '../storage/json-document.ts'
import { planSave } from './plan-save.ts'
import { orNone } from './proof.ts'
import type { RecordRedactor } from './record-redaction.ts'
import { SessionNotes } from './session-notes.ts'
import { addDelta, joinDeltas, newSessionRecord, noDelta, type SessionRecord, sessionPath, sessionRecordSchema } from './session-record.ts'

export interface SavedSession {
  /** The counts as saved; undefined if the session was forgotten meanwhile. */
  readonly counts: SavedCounts | undefined
  /** What the host showed for the newest finished turn; undefined if none has finished since the last save. */
  readonly shown: readonly TurnMessage[] | undefined
  /** Text from outside was in sight before the turns of this save. */
  readonly tainted: boolean
  /** Number of unreviewed turns that were dropped for lack of room. */
  readonly dropped: number
  /** Whether a review is due; undefined if no turn has finished. */
  readonly asked: AskedReview | undefined
}

const NOTHING: SavedSession = { counts: undefined, shown: undefined, tainted: false, dropped: 0, asked: undefined }

export class SessionState extends SessionNotes {
  /** The record to which a save adds where the storage has none. */
  #base: SessionRecord = this.record
  #lastSaved: Pick<SavedSession, 'counts' | 'shown'> = NOTHING
  // Number of turns dropped while the storage failed; reported with the next save.
  #lost = 0
  #saving: Promise<unknown> = Promise.resolve()

  /** Results of the newest save in this process; `shown` only if no text is stored. */
  get lastSaved(): Pick<SavedSession, 'counts' | 'shown'> {
    return this.#lastSaved
  }

  /** On failure, turns and counts are kept for the next save. `hostTokens`: of the host's own calls since the last turn was saved. */
  async save(hostTokens = 0): Promise<Result<SavedSession>> {
    const saving = this.#save(hostTokens)
    // Without their results, which would hold the messages of every save.
    this.#saving = Promise.allSettled([this.#saving, saving]).then(() => undefined)
    return saving
  }

  /** Removes a text from unsaved data of this process. Stored data is not changed. */
  redact(redactor: RecordRedactor): void {
    const keep = (messages: readonly TurnMessage[] | undefined) => messages?.filter((message) => !redactor.holds([message]))
    this.own.forgetTexts()
    this.frozen = redactor.block(this.frozen)
    this.record = redactor.record(this.record)
    this.#base = redactor.record(this.#base)
    this.delta = redactor.delta(this.delta)
    this.unkept = redactor.recalled(this.unkept)
    this.buffer.redact((messages) => !redactor.holds(messages))
    this.shown = keep(this.shown)
    this.#lastSaved = { ...this.#lastSaved, shown: keep(this.#lastSaved.shown) }
  }

  /** Nothing is saved after this call. Resolves when no save is running. */
  async forget(): Promise<void> {
    this.forgotten = true
    this.own.forget()
    this.buffer.forget()
    this.unkept = []
    this.record = { ...this.record, recalled: [] }
    this.#lastSaved = NOTHING
    this.unsaved = false
    await this.#saving
  }

  async #save(hostTokens: number): Promise<Result<SavedSession>> {
    if (this.forgotten) return ok(NOTHING)
    const { clock, options, counts } = this.home
    const path = sessionPath(this.record.id)
    const [counted, asShown, turn] = [this.delta, this.shown, this.turns.newest]
    const at = clock()
    this.shown = undefined
    this.delta = noDelta
    this.unsaved = false
    const said = await this.buffer.take(this.record.tainted)
    const shown = asShown && (await this.own.prove(asShown))
    const proof = orNone(await this.own.take())
    const taken = proof ? joinDeltas(counted, { ...noDelta, proof }) : counted
    const saved = await counts.update([path], (state, cut) => {
      const current = jsonIn(cut, path, sessionRecordSchema)
      // The session was forgotten: a running save must not restore its turns.
      if (this.forgotten || (current === undefined && this.written)) return { value: undefined }
      const added = { delta: taken, said, turn, reviewed: this.found.reviewed, at }
      const next = planSave(state, current, current ?? this.#base, added, options)
      const asked = shown && counts.askAfterTurn(state, next.counts, hostTokens, at)
      const put = { [path]: jsonBytes(path, next.record, sessionRecordSchema) }
      return { state: asked?.state ?? next.state, put, value: { ...next, asked } }
    })
    if (!saved.ok) {
      this.delta = joinDeltas(taken, this.delta)
      this.#lost += this.buffer.failed(said)
      this.shown ??= asShown
      this.unsaved = true
      return saved
    }
    if (!saved.value) {
      // A later turn starts a new record.
      this.#base = newSessionRecord(this.record.id, this.frozen, at)
      this.record = this.#base
      this.written = false
      return ok(NOTHING)
    }
    const { record, ...outcome } = saved.value
    this.written = true
    this.buffer.saved()
    // Counts that were added during the save stay on top.
    this.record = addDelta(record, this.delta, record.updatedAt)
    this.#lastSaved = { counts: outcome.counts, shown: options.keepText ? undefined : (shown ?? this.#lastSaved.shown) }
    const dropped = outcome.dropped + this.#lost
    this.#lost = 0
    return ok({ ...outcome, shown, dropped })
  }
}
