/**
 * The session's memory of itself: loads or creates the record, counts turns and steps in the process, and saves behind the turn. The save
 * decides the nudge, because only there are the counts of all processes together.
 */
import { hydrateCount, type NudgeIntervals } from '../nudge/decide-nudges.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { Clock } from '../shared/clock.ts'
import { ok, type Result } from '../shared/result.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import { type StorageBackend, UNCHANGED } from '../storage/storage-backend.ts'
import { type DueReview, takeDueReview } from './due-review.ts'
import type { LoadedRecord } from './load-record.ts'
import { createOpenTurns, type FinishedTurn } from './open-turns.ts'
import { endReview, type ReviewFate, withoutStaleReview } from './review-lease.ts'
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
import { splitTurns } from './turn.ts'
import { boundTurns, toUnreadTurn, type UnreadTurn } from './unread-turns.ts'

export interface SavedSession {
  /** The review that fell due. */
  readonly due?: DueReview | undefined
  /** Turns that no review has read and for which there is no room any more. */
  readonly dropped: number
}

export interface SessionStore {
  /** The frozen text. What went out in a prompt stays in this process, whatever others store. */
  readonly block: string
  /** True where `prompt` begins a turn. It counts when it finishes. */
  beginTurn(prompt: readonly TurnMessage[]): boolean
  /** `said`: the prompt of the step and the reply. */
  endStep(said: readonly TurnMessage[], step: { readonly calledTools: boolean; readonly turnFinished: boolean }): void
  /** Counts a turn that the host knows to be one. */
  recordTurn(messages: readonly TurnMessage[], toolIterations: number): void
  /** A skill whose text the agent asked for; the review of skills looks at these first. */
  noteLoadedSkill(name: string): void
  replaceBlock(block: string): void
  /** Where a turn ended since the last save, a review may fall due, unless it may not start. On failure turns and counts are kept for the next save. */
  save(options?: { readonly mayReview?: boolean }): Promise<Result<SavedSession>>
  /** Frees the record for the next review; one that failed or was stopped gives back what it had taken. */
  endReview(review: DueReview, fate: ReviewFate): Promise<Result<SavedSession>>
  /** From now on nothing is saved. Resolves when no save is under way. */
  forget(): Promise<void>
  readonly unsaved: boolean
}

export interface SessionStoreOptions {
  readonly id: string
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly intervals: NudgeIntervals
  /** Keep what no review has read. */
  readonly keepText: boolean
  /** Milliseconds after which a review that has not ended counts as dead. */
  readonly reviewStaleAfterMs: number
}

const NOTHING: SavedSession = { dropped: 0 }

export const createSessionStore = (
  options: SessionStoreOptions,
  { loaded, isOurs, isWritten, fromCheckpoint }: LoadedRecord,
): SessionStore => {
  const { id, storage, clock, intervals, keepText, reviewStaleAfterMs } = options
  const path = sessionPath(id)
  let record: SessionRecord = loaded
  let base = loaded
  let block = loaded.block
  let written = isWritten
  let delta: SessionDelta = noDelta
  let unsaved = !isWritten
  let forgotten = false
  const turns = createOpenTurns(loaded)
  // What was said before the session had a record, and what ended since the last save.
  let earlier: readonly (readonly TurnMessage[])[] | undefined = isOurs ? undefined : []
  let finished: readonly FinishedTurn[] = []
  let waiting: readonly UnreadTurn[] = []
  let shown: readonly TurnMessage[] | undefined
  // Turns that found no room while the storage refused; told with the next save.
  let lost = 0
  let underWay: Promise<unknown> = Promise.resolve()

  const count = (more: SessionDelta) => {
    delta = joinDeltas(delta, more)
    record = addDelta(record, more, record.updatedAt)
    unsaved = true
  }

  /** A session that starts with a history (the host's own record outlived ours): what was said before counts, and is read. */
  const hydrate = (prompt: readonly TurnMessage[]) => {
    if (earlier !== undefined) return
    const before = splitTurns(prompt).slice(0, -1)
    const sinceReview = fromCheckpoint ? record.turnsSinceReview : hydrateCount(before.length, intervals.memoryInterval)
    earlier = sinceReview > 0 ? before.slice(-sinceReview) : []
    if (!fromCheckpoint && before.length > 0) count({ ...noDelta, earlier: { turns: before.length, sinceReview } })
  }

  const finish = (turn: FinishedTurn | undefined, saw: readonly TurnMessage[]) => {
    if (!turn) return
    count({ turns: 1, iterations: 0 })
    finished = [...finished, turn]
    shown = saw
  }

  /** Behind the turn, because finding credentials takes time. */
  const takeFinished = (): { readonly before: readonly UnreadTurn[]; readonly now: readonly UnreadTurn[] } => {
    const toKept = ({ messages, worked }: FinishedTurn) => toUnreadTurn(messages, worked)
    const before = keepText ? (earlier ?? []).map((messages) => toUnreadTurn(messages, false)) : []
    const now = keepText ? [...waiting, ...finished.map(toKept)] : []
    finished = []
    waiting = []
    return { before, now }
  }

  const save = async (mayReview: boolean): Promise<Result<SavedSession>> => {
    if (forgotten) return ok(NOTHING)
    const said = takeFinished()
    const saw = shown
    const taken = delta
    const hydrated = earlier
    const { turnKey, turnOpen } = turns.newest
    const at = clock()
    shown = undefined
    delta = noDelta
    unsaved = false
    let due: DueReview | undefined
    let dropped = 0
    let isGone = false
    const saved = await updateJsonDocument(storage, path, sessionRecordSchema, (current) => {
      // Somebody had the session forgotten: what was said before does not come back with a save that was under way.
      isGone = forgotten || (current === undefined && written)
      if (isGone) return UNCHANGED
      const fresh = withoutStaleReview(current ?? base, at, reviewStaleAfterMs, intervals)
      const before = fromCheckpoint || fresh.userTurns === 0 ? said.before : []
      const next: SessionRecord = { ...addDelta(fresh, taken, at), turnOpen, ...(turnKey === undefined ? {} : { turnKey }) }
      const reviewed = takeDueReview(
        next,
        { turns: [...before, ...said.now], shown: mayReview ? saw : undefined },
        { intervals, keepText, at },
      )
      due = reviewed.due
      dropped = reviewed.dropped
      return reviewed.record
    })
    if (!saved.ok) {
      const bounded = boundTurns([...said.now, ...waiting])
      delta = joinDeltas(taken, delta)
      waiting = bounded.turns
      lost += bounded.dropped
      shown ??= saw
      unsaved = true
      return saved
    }
    if (isGone) {
      // A turn from now on begins a record anew.
      base = newSessionRecord(id, block, at)
      record = base
      written = false
      return ok(NOTHING)
    }
    written = true
    if (hydrated !== undefined) earlier = []
    // A review may not start while the session is being closed, but it stays due.
    if (!mayReview) shown ??= saw
    // Counts of what ended meanwhile stay on top.
    if (saved.value) record = addDelta(saved.value, delta, saved.value.updatedAt)
    const told = { due, dropped: dropped + lost }
    lost = 0
    return ok(told)
  }

  const tracked = async <T>(work: Promise<T>): Promise<T> => {
    underWay = Promise.allSettled([underWay, work])
    return work
  }

  return {
    get block() {
      return block
    },
    get unsaved() {
      return unsaved
    },
    beginTurn(prompt) {
      const begun = turns.begin(prompt, record.userTurns)
      if (begun) hydrate(prompt)
      return begun
    },
    endStep(said, { calledTools, turnFinished }) {
      if (calledTools) turns.noteTools(said)
      count({ turns: 0, iterations: calledTools ? 1 : 0 })
      if (turnFinished) finish(turns.finish(said), said)
    },
    recordTurn(messages, toolIterations) {
      earlier ??= []
      count({ turns: 0, iterations: toolIterations })
      finish({ messages, worked: toolIterations > 0 }, messages)
    },
    noteLoadedSkill(name) {
      count({ ...noDelta, loadedSkills: [name] })
    },
    replaceBlock(text) {
      block = text
      count({ ...noDelta, block: text })
    },
    save: ({ mayReview = true } = {}) => tracked(save(mayReview)),
    endReview: (review, fate) =>
      tracked(
        (async () => {
          let dropped = 0
          const ended = await updateJsonDocument(storage, path, sessionRecordSchema, (current) => {
            if (forgotten || current?.review?.startedAt !== review.startedAt) return UNCHANGED
            const freed = endReview(current, fate, intervals)
            const bounded = boundTurns(freed.unread)
            dropped = bounded.dropped
            return { ...freed, unread: bounded.turns }
          })
          return ended.ok ? ok({ dropped }) : ended
        })(),
      ),
    async forget() {
      forgotten = true
      finished = []
      waiting = []
      unsaved = false
      await underWay
    },
  }
}
