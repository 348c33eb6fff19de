/** The state of a session: counts turns and steps in the process, and saves them behind the turn. */

import { hydrateCount, type NudgeIntervals } from '../nudge/turn-counts.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { Clock } from '../shared/clock.ts'
import { ok, type Result } from '../shared/result.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { UNCHANGED } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { LoadedRecord } from './load-record.ts'
import { createOwnWords } from './own-words.ts'
import { NO_PROOF, orNone, withoutTexts } from './proof.ts'
import { boundRecalled, mergeRecalled, type RecalledTurn } from './recalled-turns.ts'
import { holdsText, redactBlock, redactDelta, redactRecalled, redactRecord } from './record-redaction.ts'
import {
  addDelta,
  countsOf,
  joinDeltas,
  newSessionRecord,
  noDelta,
  type SessionDelta,
  type SessionRecord,
  sessionPath,
  sessionRecordSchema,
} from './session-record.ts'
import type { SavedSession, SessionStore } from './session-store.ts'
import { addTurns, createOpenTurns, type FinishedTurn, newestTurn, splitTurn, turnsBeforeLast } from './turn.ts'
import { createTurnBuffer } from './turn-buffer.ts'

export interface SessionStoreOptions {
  readonly id: string
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly intervals: NudgeIntervals
  /** True if unreviewed text is stored. */
  readonly keepText: boolean
  /** True if the host vouches for the tool of this result. */
  readonly isTrusted: (message: TurnMessage) => boolean
}

const NOTHING: SavedSession = { counts: undefined, shown: undefined, tainted: false, dropped: 0 }

export const createSessionStore = (options: SessionStoreOptions, found: LoadedRecord): SessionStore => {
  const { loaded, isOurs, isWritten, fromCheckpoint } = found
  const { id, storage, clock, intervals, keepText, isTrusted } = options
  const own = createOwnWords(loaded.proof ?? NO_PROOF, isTrusted)
  const path = sessionPath(id)
  let record: SessionRecord = loaded
  let base = loaded
  let block = loaded.block
  let written = isWritten
  let delta: SessionDelta = noDelta
  let unsaved = !isWritten
  let forgotten = false
  const turns = createOpenTurns(loaded)
  const readProof = async () => {
    const read = written ? await readJsonDocument(storage, path, sessionRecordSchema) : undefined
    return read?.ok ? read.value?.proof : undefined
  }
  const buffer = createTurnBuffer({ own, keepText, readProof }, !isOurs)
  let shown: readonly TurnMessage[] | undefined
  let lastSaved: SessionStore['lastSaved'] = NOTHING
  // Number of turns dropped while the storage failed; reported with the next save.
  let lost = 0
  // Used if no text is stored.
  let unkept: readonly RecalledTurn[] = []
  let underWay: Promise<unknown> = Promise.resolve()

  const count = (more: SessionDelta) => {
    delta = joinDeltas(delta, more)
    record = addDelta(record, more, record.updatedAt)
    unsaved = true
  }

  /** Counts and queues the earlier turns of a session that starts with a history (the host's record outlived ours). */
  const hydrate = (prompt: readonly TurnMessage[]) => {
    if (buffer.knowsEarlier) return
    const before = turnsBeforeLast(prompt)
    const sinceReview = fromCheckpoint ? record.userTurns - record.asked.turns : hydrateCount(before.length, intervals.memoryInterval)
    buffer.setEarlier(sinceReview > 0 ? before.slice(-sinceReview) : [])
    if (!fromCheckpoint && before.length > 0) count({ ...noDelta, earlier: { turns: before.length, sinceReview } })
  }

  const finish = (turn: FinishedTurn | undefined, saw: readonly TurnMessage[]) => {
    if (!turn) return undefined
    count({ turns: 1, iterations: 0 })
    buffer.add(turn)
    shown = saw
    return turn
  }

  const save = async (): Promise<Result<SavedSession>> => {
    if (forgotten) return ok(NOTHING)
    const { turnKey, turnOpen } = turns.newest
    const [counted, asShown] = [delta, shown]
    const at = clock()
    shown = undefined
    delta = noDelta
    unsaved = false
    const said = await buffer.take(record.tainted)
    const saw = asShown && (await own.prove(asShown))
    const proof = orNone(await own.take())
    const taken = proof ? joinDeltas(counted, { ...noDelta, proof }) : counted
    let dropped = 0
    let tainted = false
    let isGone = false
    const saved = await updateJsonDocument(storage, path, sessionRecordSchema, (current) => {
      // The session was forgotten: a running save must not restore its turns.
      isGone = forgotten || (current === undefined && written)
      if (isGone) return UNCHANGED
      const known = current ?? base
      const before = fromCheckpoint || known.userTurns === 0 ? said.before : []
      const added = addDelta(known, taken, at)
      const proven = added.proof && !turnOpen ? { proof: withoutTexts(added.proof) } : {}
      const turned: SessionRecord = { ...added, ...proven, turnOpen, ...(turnKey === undefined ? {} : { turnKey }) }
      const next = addTurns(turned, [...before, ...said.now], { intervals, keepText })
      dropped = next.dropped
      tainted = known.tainted || taken.tainted === true
      return next.record
    })
    if (!saved.ok) {
      delta = joinDeltas(taken, delta)
      lost += buffer.failed(said)
      shown ??= asShown
      unsaved = true
      return saved
    }
    if (isGone || !saved.value) {
      // A later turn starts a new record.
      base = newSessionRecord(id, block, at)
      record = base
      written = false
      return ok(NOTHING)
    }
    written = true
    buffer.saved()
    // Counts that were added during the save stay on top.
    record = addDelta(saved.value, delta, saved.value.updatedAt)
    const outcome = { counts: countsOf(saved.value), shown: saw, tainted, dropped: dropped + lost }
    lastSaved = { counts: outcome.counts, shown: keepText ? undefined : (outcome.shown ?? lastSaved.shown) }
    lost = 0
    return ok(outcome)
  }

  const tracked = async <T>(work: Promise<T>): Promise<T> => {
    // Without their results, which would hold the messages of every save.
    underWay = Promise.allSettled([underWay, work]).then(() => undefined)
    return work
  }

  return {
    get block() {
      return block
    },
    isTainted: async () => record.tainted || (await buffer.holdsOutside()),
    prove: own.prove,
    noteInterrupted(reply) {
      own.noteAnswer(reply, true)
      unsaved = true
    },
    noteResult(result, did) {
      own.noteResult(result, did)
      unsaved = true
    },
    get lastSaved() {
      return lastSaved
    },
    get unsaved() {
      return unsaved
    },
    get recalled() {
      return keepText ? (record.recalled ?? []) : unkept
    },
    async reloadRecalled() {
      const read = keepText ? await readJsonDocument(storage, path, sessionRecordSchema) : undefined
      if (forgotten || !read?.ok || !read.value?.recalled) return
      record = { ...record, recalled: mergeRecalled(read.value.recalled, record.recalled ?? []) }
    },
    noteRecalled(turn) {
      if (forgotten) return
      if (!keepText) {
        unkept = boundRecalled([...unkept, turn])
        return
      }
      // A turn that is aborted needs no save of its own.
      const more = { ...noDelta, recalled: [turn] }
      delta = joinDeltas(delta, more)
      record = addDelta(record, more, record.updatedAt)
    },
    startsTurn: (prompt) => turns.startsTurn(prompt, record.userTurns),
    beginTurn(prompt) {
      const begun = turns.begin(prompt, record.userTurns)
      if (begun) {
        own.noteOpener(prompt)
        hydrate(prompt)
      }
      return begun
    },
    endStep(said, { calledTools, turnFinished, reply }) {
      own.noteAnswer(reply)
      if (calledTools) turns.noteTools(said)
      count({ turns: 0, iterations: calledTools ? 1 : 0 })
      return turnFinished ? finish(turns.finish(said), said) : undefined
    },
    recordTurn(messages, toolIterations, before = []) {
      if (!buffer.knowsEarlier) buffer.setEarlier([])
      own.noteOpener(messages)
      own.noteAnswer(splitTurn(newestTurn(messages) ?? []).rest)
      count({ turns: 0, iterations: toolIterations })
      finish({ messages, worked: toolIterations > 0, before }, [...before, ...messages])
    },
    noteLoadedSkill(name) {
      count({ ...noDelta, loadedSkills: [name] })
    },
    taint() {
      if (!record.tainted) count({ ...noDelta, tainted: true })
    },
    replaceBlock(text, shown) {
      const sent = shown ?? (record.userTurns > 0 ? block : text)
      block = text
      const changed = sent === text ? {} : { changed: { times: 1, at: clock(), turns: 0 } }
      count({ ...noDelta, block: text, ...changed })
    },
    save: () => tracked(save()),
    redact(redaction) {
      const isKept = (messages: readonly TurnMessage[]) => !holdsText(messages, redaction)
      own.forgetTexts()
      block = redactBlock(block, redaction)
      record = redactRecord(record, redaction)
      base = redactRecord(base, redaction)
      delta = redactDelta(delta, redaction)
      unkept = redactRecalled(unkept, redaction)
      buffer.redact(isKept)
      shown = shown?.filter((message) => isKept([message]))
      lastSaved = { ...lastSaved, shown: lastSaved.shown?.filter((message) => isKept([message])) }
    },
    async forget() {
      forgotten = true
      own.forget()
      buffer.forget()
      unkept = []
      record = { ...record, recalled: [] }
      lastSaved = NOTHING
      unsaved = false
      await underWay
    },
  }
}
