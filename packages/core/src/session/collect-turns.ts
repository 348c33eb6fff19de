/** Collects the turns that a review reads, from all sessions of the home that have unread turns, and removes what it has read. */
import type { NudgeIntervals } from '../nudge/nudge-intervals.ts'
import type { ReadMarks, ReviewScope, ReviewState, SessionReading } from '../nudge/review-state.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { jsonBytes, readableJsonIn, readJsonDocument } from '../storage/json-document.ts'
import type { Cut, StorageBackend } from '../storage/storage-backend.ts'
import type { FailedUseOf, TurnToRead } from './review-request.ts'
import { type SessionRecord, sessionPath } from './session-record.ts'
import { type FailedUse, sessionRecordSchema } from './session-record-schema.ts'
import { charsOf, isAwaited, ownCharsOf, readersOf, UNREAD_LIMITS } from './unread-turns.ts'

export interface CollectedTurns {
  readonly conversation: readonly TurnToRead[]
  readonly loadedSkills: readonly string[]
  readonly failedUses: readonly FailedUseOf[]
  /** For each session, the turn up to which each pass has read it; includes sessions with nothing left to read. */
  readonly readTo: ReadonlyMap<string, ReadMarks>
  /** Sessions whose records are missing or broken. They start again with their next turn. */
  readonly gone: readonly SessionReading[]
}

const hasUnread = ({ turns, read, kept }: SessionReading): boolean => kept > 0 || turns > Math.min(read.words, read.everything, read.skills)

/** The session that started the review comes last; the others come before it, least recently used first. */
const inOrder = (sessions: readonly SessionReading[], newest: string | undefined): readonly SessionReading[] =>
  sessions.filter(hasUnread).sort((a, b) => Number(a.id === newest) - Number(b.id === newest) || a.updatedAt - b.updatedAt)

const within = ({ words, everything, skills }: ReviewScope, scope: ReviewScope): ReviewScope => ({
  words: words && scope.words,
  everything: everything && scope.everything,
  skills: skills && scope.skills,
})

const isRead = ({ words, everything, skills }: ReviewScope): boolean => !words && !everything && !skills

/** Characters that each pass may still read. Text from outside has its own room, so that it cannot displace the user's own words. */
type Rooms = Record<keyof ReviewScope, number>

const PASSES = ['words', 'everything', 'skills'] as const

/** Takes whole turns, oldest first, while a pass has room; the first one always fits. */
const takeTurns = (record: SessionRecord, reading: SessionReading, scope: ReviewScope, rooms: Rooms) => {
  const taken: TurnToRead[] = []
  const open = { ...scope }
  const readTo = { words: record.userTurns, everything: record.userTurns, skills: record.userTurns }
  for (const turn of record.unread) {
    const { messages, tainted, number, at } = turn
    const wanted = within(readersOf(turn, reading.read), scope)
    const readers = within(wanted, open)
    for (const pass of PASSES.filter((each) => readers[each])) {
      const chars = pass === 'words' ? ownCharsOf(turn) : charsOf(messages)
      const fits = chars <= rooms[pass] || rooms[pass] === UNREAD_LIMITS.chars
      if (fits) rooms[pass] -= chars
      else {
        readTo[pass] = number - 1
        open[pass] = false
      }
    }
    const read = within(readers, open)
    const waits = wanted.everything && !read.everything
    if (!isRead(read))
      taken.push({
        sessionId: record.id,
        ...(record.project === undefined ? {} : { project: record.project }),
        messages,
        readers: read,
        ...(at === undefined ? {} : { at }),
        ...(tainted === undefined ? {} : { tainted }),
        ...(waits ? { outsideWaits: true } : {}),
      })
  }
  return { taken, readTo }
}

/** Collects turns within the limits. A record that cannot be read is skipped, and `onProblem` is called. */
export const collectTurns = async (
  storage: StorageBackend,
  sessions: readonly SessionReading[],
  {
    scope,
    newest,
    onProblem,
  }: {
    readonly scope: ReviewScope
    /** The session that started the review. */
    readonly newest: string | undefined
    readonly onProblem: (problem: HermesError) => void
  },
): Promise<CollectedTurns> => {
  const conversation: TurnToRead[] = []
  const loadedSkills = new Set<string>()
  const failedUses: FailedUseOf[] = []
  const readTo = new Map<string, ReadMarks>()
  const gone: SessionReading[] = []
  const rooms: Rooms = { words: UNREAD_LIMITS.chars, everything: UNREAD_LIMITS.chars, skills: UNREAD_LIMITS.chars }
  for (const reading of inOrder(sessions, newest)) {
    const found = await readJsonDocument(storage, sessionPath(reading.id), sessionRecordSchema)
    if (!found.ok) onProblem(found.error)
    if (found.ok ? found.value?.id !== reading.id : found.error.code === 'unreadable') gone.push(reading)
    // A new record with the same id is not the one that the home knows; the home learns of it with its next save.
    else if (found.ok && found.value?.createdAt === reading.createdAt) {
      const { taken, readTo: marks } = takeTurns(found.value, reading, scope, rooms)
      conversation.push(...taken)
      readTo.set(reading.id, marks)
      const isReadNow = ({ turn }: FailedUse) => turn > reading.read.skills && turn <= marks.skills
      failedUses.push(...(found.value.failedUses ?? []).filter(isReadNow).map((use) => ({ ...use, sessionId: reading.id })))
      for (const name of taken.length > 0 ? (found.value.loadedSkills ?? []) : []) loadedSkills.add(name)
    }
  }
  return { conversation, loadedSkills: [...loadedSkills], failedUses, readTo, gone }
}

interface ReadSessions {
  /** Ids of the sessions that the review has read. */
  readonly read: readonly string[]
  /** Sessions whose records are missing. */
  readonly gone: readonly SessionReading[]
  readonly intervals: NudgeIntervals
}

/** Removes the text that a review has read from the session records of a cut, which names them all. `state` has the marks of the review. */
export const clearRecords = (
  state: ReviewState,
  { read, gone, intervals }: ReadSessions,
  cut: Cut,
): { readonly state: ReviewState; readonly put: Readonly<Record<string, Uint8Array>> } => {
  const put: Record<string, Uint8Array> = {}
  const clear = (reading: SessionReading): SessionReading => {
    const record = read.includes(reading.id) ? readableJsonIn(cut, sessionPath(reading.id), sessionRecordSchema) : undefined
    if (record?.createdAt !== reading.createdAt) return reading
    const path = sessionPath(reading.id)
    const unread = record.unread.filter((turn) => isAwaited(turn, reading.read, intervals))
    if (unread.length < record.unread.length) put[path] = jsonBytes(path, { ...record, unread }, sessionRecordSchema)
    return { ...reading, kept: unread.length }
  }
  const isGone = ({ id, createdAt }: SessionReading) => gone.some((each) => each.id === id && each.createdAt === createdAt)
  return { state: { ...state, sessions: state.sessions.filter((session) => !isGone(session)).map(clear) }, put }
}
