/**
 * The session's memory of itself: loads or creates the record, counts turns and steps in the process, and saves behind the turn. The save
 * decides the nudge, because only there are the counts of all processes together.
 */
import { hydrateCount, type NudgeIntervals } from '../nudge/decide-nudges.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { type StorageBackend, UNCHANGED } from '../storage/storage-backend.ts'
import { SESSIONS_FOLDER } from '../storage/storage-paths.ts'
import { type DueReview, takeDueReview } from './due-review.ts'
import { endReview, withoutStaleReview } from './review-lease.ts'
import type { SessionCheckpoint } from './session.ts'
import {
  addDelta,
  joinDeltas,
  newSessionRecord,
  noDelta,
  type SessionDelta,
  type SessionRecord,
  sessionPath,
  sessionRecordSchema,
} from './session-record.ts'
import { countUserMessages, newTurnKey } from './turn.ts'
import { withinLimit } from './within-limit.ts'

export interface SessionStore {
  readonly block: string
  /** Counts the turn that `prompt` begins, if it begins one; true then. */
  beginTurn(prompt: readonly TurnMessage[]): boolean
  /** Counts a turn that the host knows to be one. */
  countTurn(): void
  endStep(calledTools: boolean, turnFinished: boolean): void
  /** A skill whose text the agent asked for; the review of skills looks at these first. */
  noteLoadedSkill(name: string): void
  replaceBlock(block: string): void
  /**
   * `finishedTurns`: for each turn that ended since the last save, what the host showed for it, the reply included; with any, a review may fall due, and is what this
   * resolves to. On failure turns and counts are kept for the next save.
   */
  save(finishedTurns: readonly (readonly TurnMessage[])[]): Promise<Result<DueReview | undefined>>
  /** Frees the record for the next review; a failed one gives back what it had taken. */
  endReview(review: DueReview, succeeded: boolean): Promise<Result<void>>
  readonly unsaved: boolean
}

export interface SessionStoreOptions {
  readonly id: string
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly intervals: NudgeIntervals
  /** Stands in for a record that the storage does not have: its text stays frozen, and its counts go on. */
  readonly checkpoint?: SessionCheckpoint | undefined
  /** Milliseconds that the first prompt of a new session waits for its record to be written, so that all who begin it at once have one text. */
  readonly settleLimitMs: number
  /** Milliseconds after which a review that has not ended counts as dead. */
  readonly reviewStaleAfterMs: number
  /** Reads the stores and renders the text to freeze. */
  readonly freeze: () => Promise<string>
}

export interface OpenedSession {
  readonly store: SessionStore
  readonly newSession: boolean
  /** The record could not be read. One that is no record was moved aside, and a new one begins. */
  readonly problem?: HermesError
}

/** Turns kept for the next save while the storage refuses; their counts are kept in any case. */
const MAX_UNSAVED_TURNS = 20

/** Out of the way of the new record, and kept for a person to look at. */
const moveAside = (storage: StorageBackend, path: string, at: number) =>
  storage.move(path, `${SESSIONS_FOLDER}/.unreadable/${at}-${path.slice(path.lastIndexOf('/') + 1)}`)

/** A new session, or one that the host's framework remembers better than the storage does. */
const beginRecord = async ({ id, checkpoint, clock, freeze, intervals }: SessionStoreOptions): Promise<SessionRecord> => {
  if (checkpoint === undefined) return newSessionRecord(id, await freeze(), clock())
  return {
    ...newSessionRecord(id, checkpoint.block, clock()),
    userTurns: checkpoint.userTurns,
    turnsSinceReview: hydrateCount(checkpoint.userTurns, intervals.memoryInterval),
    iterationsSinceReview: hydrateCount(checkpoint.toolIterations, intervals.skillInterval),
  }
}

/**
 * The record as it stands once it was written: another process that began the session at the same moment may have been first, and its text is then the session's.
 * `undefined` where the storage cannot say so in time; the first save settles it then.
 */
const settleRecord = async (path: string, begun: SessionRecord, { storage, settleLimitMs }: SessionStoreOptions) => {
  let isOurs = false
  const written = updateJsonDocument(storage, path, sessionRecordSchema, (current) => {
    isOurs = current === undefined
    return isOurs ? begun : UNCHANGED
  })
  const settled = await withinLimit(written, settleLimitMs)
  return settled?.ok && settled.value ? { record: settled.value, isOurs } : undefined
}

export const openSessionStore = async (options: SessionStoreOptions): Promise<OpenedSession> => {
  const { id, storage, clock, intervals, reviewStaleAfterMs } = options
  const path = sessionPath(id)
  const found = await readJsonDocument(storage, path, sessionRecordSchema)
  if (!found.ok && found.error.code === 'unreadable') await moveAside(storage, path, clock())
  const stored = found.ok ? found.value : undefined
  const first = stored ?? (await beginRecord(options))
  // Where the storage cannot even be read, nobody waits for a write.
  const isReadable = found.ok || found.error.code === 'unreadable'
  const settled = stored === undefined && isReadable ? await settleRecord(path, first, options) : undefined
  const newSession = stored === undefined && settled?.isOurs !== false

  let record: SessionRecord = settled?.record ?? first
  const base = record
  let delta: SessionDelta = noDelta
  let unsaved = newSession && settled === undefined
  let unsavedTurns: readonly (readonly TurnMessage[])[] = []

  const count = (more: SessionDelta) => {
    delta = joinDeltas(delta, more)
    record = addDelta(record, more, record.updatedAt)
    unsaved = true
  }

  // A session that starts with a history (the host's own record outlived ours): count what was said before.
  const hydrate = (prompt: readonly TurnMessage[]) => {
    const turns = countUserMessages(prompt) - 1
    if (turns > 0) count({ ...noDelta, earlier: { turns, sinceReview: hydrateCount(turns, intervals.memoryInterval) } })
  }

  const store: SessionStore = {
    get block() {
      return record.block
    },
    get unsaved() {
      return unsaved
    },
    beginTurn(prompt) {
      const key = newTurnKey({ turnKey: record.turnKey, turnOpen: record.turnOpen, userTurns: record.userTurns }, prompt)
      if (key === undefined) return false
      if (record.userTurns === 0) hydrate(prompt)
      count({ turns: 1, iterations: 0 })
      record = { ...record, turnKey: key, turnOpen: true }
      return true
    },
    countTurn() {
      count({ turns: 1, iterations: 0 })
    },
    endStep(calledTools, turnFinished) {
      count({ turns: 0, iterations: calledTools ? 1 : 0 })
      if (turnFinished) record = { ...record, turnOpen: false }
    },
    noteLoadedSkill(name) {
      count({ ...noDelta, loadedSkills: [name] })
    },
    replaceBlock(block) {
      count({ ...noDelta, block })
    },
    async save(newlyFinished) {
      const finishedTurns = [...unsavedTurns, ...newlyFinished]
      unsavedTurns = []
      const taken = delta
      const { turnKey, turnOpen } = record
      const at = clock()
      delta = noDelta
      unsaved = false
      let due: DueReview | undefined
      const saved = await updateJsonDocument(storage, path, sessionRecordSchema, (current) => {
        const fresh = withoutStaleReview(current ?? base, at, reviewStaleAfterMs)
        const next: SessionRecord = { ...addDelta(fresh, taken, at), turnOpen, ...(turnKey === undefined ? {} : { turnKey }) }
        const reviewed = takeDueReview(next, finishedTurns, intervals, at)
        due = reviewed.due
        return reviewed.record
      })
      if (!saved.ok) {
        delta = joinDeltas(taken, delta)
        unsavedTurns = finishedTurns.slice(-MAX_UNSAVED_TURNS)
        unsaved = true
        return saved
      }
      if (saved.value) {
        // Another process may have begun this session first: its frozen text is the session's. Counts of turns begun meanwhile stay on top.
        const { turnKey: key, turnOpen: open } = record
        record = addDelta(saved.value, delta, saved.value.updatedAt)
        record = { ...record, turnOpen: open, ...(key === undefined ? {} : { turnKey: key }) }
      }
      return ok(due)
    },
    async endReview(review, succeeded) {
      const ended = await updateJsonDocument(storage, path, sessionRecordSchema, (current) =>
        current?.review?.startedAt === review.startedAt ? endReview(current, succeeded) : UNCHANGED,
      )
      return ended.ok ? ok(undefined) : ended
    },
  }
  return { store, newSession, ...(found.ok ? {} : { problem: found.error }) }
}
