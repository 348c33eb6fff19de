/**
 * The session's memory of itself: loads or creates the record, counts turns and steps in the process, and saves behind the turn. The save
 * decides the nudge, because only there are the counts of all processes together.
 */
import { decideNudges, hydrateTurnCount } from '../nudge/decide-nudges.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import {
  addDelta,
  newSessionRecord,
  noDelta,
  type SessionDelta,
  type SessionRecord,
  sessionPath,
  sessionRecordSchema,
  startReview,
  toTurnMessages,
} from './session-record.ts'
import { countUserMessages, newTurnKey } from './turn.ts'
import { nextBacklog } from './turn-backlog.ts'

export interface SaveRequest {
  /** For each turn that ended since the last save: what the host showed for it, the reply included. With any, a nudge may fall due. */
  readonly finishedTurns: readonly (readonly TurnMessage[])[]
  /** False while a review of this session is under way: never two at once. */
  readonly mayReview: boolean
}

export interface DueReview {
  readonly turns: number
  readonly conversation: readonly TurnMessage[]
}

export interface SessionStore {
  readonly block: string
  readonly turnsSinceReview: number
  /** Counts the turn that `prompt` begins, if it begins one; true then. */
  beginTurn(prompt: readonly TurnMessage[]): boolean
  /** Counts a turn that the host knows to be one. */
  countTurn(): void
  endStep(calledTools: boolean, turnFinished: boolean): void
  replaceBlock(block: string): void
  /** Resolves to the review that falls due with this save. On failure the counts are kept for the next save. */
  save(request: SaveRequest): Promise<Result<DueReview | undefined>>
  readonly unsaved: boolean
}

export interface SessionStoreOptions {
  readonly id: string
  readonly storage: StorageBackend
  readonly clock: Clock
  /** User turns between reviews; 0 = never. */
  readonly memoryInterval: number
  /** Reads the stores and renders the text to freeze. */
  readonly freeze: () => Promise<string>
}

export interface OpenedSession {
  readonly store: SessionStore
  readonly newSession: boolean
  /** The record could not be read; the session runs without one. */
  readonly problem?: HermesError
}

/** Turns kept for the next save while the storage refuses; their counts are kept in any case. */
const MAX_UNSAVED_TURNS = 20

export const openSessionStore = async (options: SessionStoreOptions): Promise<OpenedSession> => {
  const { id, storage, clock, memoryInterval } = options
  const path = sessionPath(id)
  const found = await readJsonDocument(storage, path, sessionRecordSchema)
  const stored = found.ok ? found.value : undefined
  const newSession = stored === undefined

  let record: SessionRecord = stored ?? newSessionRecord(id, await options.freeze(), 0, clock())
  let hydrated = !newSession
  let base = record
  let delta: SessionDelta = noDelta
  let unsaved = newSession
  let unsavedTurns: readonly (readonly TurnMessage[])[] = []

  const count = (turns: number, iterations: number) => {
    delta = { ...delta, turns: delta.turns + turns, iterations: delta.iterations + iterations }
    record = { ...record, userTurns: record.userTurns + turns, turnsSinceReview: record.turnsSinceReview + turns }
    unsaved = true
  }

  // A session that starts with a history (the host's own record outlived ours): count what was said before.
  const hydrate = (prompt: readonly TurnMessage[]) => {
    hydrated = true
    const earlier = countUserMessages(prompt) - 1
    const turns = hydrateTurnCount(earlier, memoryInterval)
    base = { ...newSessionRecord(id, record.block, turns, record.createdAt), userTurns: earlier }
    record = { ...record, userTurns: earlier, turnsSinceReview: turns }
  }

  const store: SessionStore = {
    get block() {
      return record.block
    },
    get turnsSinceReview() {
      return record.turnsSinceReview
    },
    get unsaved() {
      return unsaved
    },
    beginTurn(prompt) {
      const key = newTurnKey({ turnKey: record.turnKey, turnOpen: record.turnOpen, userTurns: record.userTurns }, prompt)
      if (key === undefined) return false
      if (!hydrated) hydrate(prompt)
      count(1, 0)
      record = { ...record, turnKey: key, turnOpen: true }
      return true
    },
    countTurn() {
      hydrated = true
      count(1, 0)
    },
    endStep(calledTools, turnFinished) {
      count(0, calledTools ? 1 : 0)
      if (turnFinished) record = { ...record, turnOpen: false }
    },
    replaceBlock(block) {
      delta = { ...delta, block }
      record = { ...record, block }
      unsaved = true
    },
    async save({ finishedTurns: newlyFinished, mayReview }) {
      const finishedTurns = [...unsavedTurns, ...newlyFinished]
      unsavedTurns = []
      const conversation = finishedTurns.at(-1)
      const taken = delta
      const { turnKey, turnOpen } = record
      const at = clock()
      delta = noDelta
      unsaved = false
      let due: DueReview | undefined
      const saved = await updateJsonDocument(storage, path, sessionRecordSchema, (current) => {
        due = undefined
        let next: SessionRecord = { ...addDelta(current ?? base, taken, at), turnOpen, ...(turnKey === undefined ? {} : { turnKey }) }
        if (conversation === undefined) return next
        const { turnsSinceReview } = next
        const backlog = finishedTurns.reduce(
          (kept, turn, index) => nextBacklog(kept, turn, Math.max(1, turnsSinceReview - (finishedTurns.length - 1 - index))),
          toTurnMessages(next.backlog),
        )
        next = { ...next, backlog }
        const nudges = decideNudges(
          { turnsSinceReview: next.turnsSinceReview, iterationsSinceReview: next.iterationsSinceReview },
          { memoryInterval, skillInterval: 0 },
        )
        if (!mayReview || !nudges.memory) return next
        due = { turns: next.turnsSinceReview, conversation: backlog.length > 0 ? backlog : conversation }
        return startReview(next)
      })
      if (!saved.ok) {
        delta = { ...taken, ...delta, turns: taken.turns + delta.turns, iterations: taken.iterations + delta.iterations }
        unsavedTurns = finishedTurns.slice(-MAX_UNSAVED_TURNS)
        unsaved = true
        return saved
      }
      if (saved.value) {
        // Another process may have begun this session first: its frozen text is the session's. Counts of turns begun meanwhile stay on top.
        const { turns, iterations, block } = delta
        const { turnKey: key, turnOpen: open } = record
        record = addDelta(saved.value, { turns, iterations, ...(block === undefined ? {} : { block }) }, saved.value.updatedAt)
        record = { ...record, turnOpen: open, ...(key === undefined ? {} : { turnKey: key }) }
      }
      return ok(due)
    },
  }
  return { store, newSession, ...(found.ok ? {} : { problem: found.error }) }
}
