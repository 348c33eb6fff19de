/** Reads the stored sessions of a home, for a host that shows them: what each froze, and what the next one would freeze. */
import { EMPTY_REVIEW_STATE, REVIEW_STATE_PATH, reviewStateSchema } from '../nudge/review-state.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { readJsonDocument } from '../storage/json-document.ts'
import { freezeBlock } from './freeze-block.ts'
import type { SessionHome } from './session-home.ts'
import { type SessionRecord, sessionPath } from './session-record.ts'
import { sessionRecordSchema } from './session-record-schema.ts'

export interface SessionSummary {
  readonly id: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** Epoch milliseconds of its newest turn. */
  readonly lastTurnAt: number
  readonly userTurns: number
  /** Model steps that called tools. */
  readonly toolSteps: number
  /** Turns that wait for a review. */
  readonly unreadTurns: number
}

export interface StoredSession extends SessionSummary {
  /** The project that it began with. */
  readonly project?: string
  /** The frozen text of the system prompt, byte for byte. */
  readonly block: string
  /** Text from outside was in sight in this session. */
  readonly outsideSeen: boolean
  /** How often the frozen text changed after it had been in a prompt, as far as the record knows. */
  readonly blockChanges: number
  /** Epoch milliseconds of the last of these changes; 0 = never. */
  readonly blockChangedAt: number
  /** Finished turns since then; without a change, all of them. */
  readonly turnsWithBlock: number
}

/** Reads only: no session is started, nothing is counted. */
export interface SessionReader {
  /** The sessions of the last seven days and older ones with unread turns, most recently used first; at most 1,000. */
  list(): Promise<Result<readonly SessionSummary[]>>
  /** Undefined for a session without a record. */
  get(id: string): Promise<Result<StoredSession | undefined>>
  /**
   * The text that a session would freeze that starts now. `prefix`: of the agent's tools; without `skill_view` among its tools, an agent gets no catalogue,
   * so `false` leaves it out. Default `''`. `project`: of the session. Default: that of `createHermes`, else none. Rejects with a TypeError for a name that no project
   * can have.
   */
  nextBlock(prefix?: string | false, project?: string): Promise<string>
}

/** No turn waits for it. */
const SKILLS_LIMIT_MS = 5_000

const toStored = (record: SessionRecord): StoredSession => ({
  id: record.id,
  ...(record.project === undefined ? {} : { project: record.project }),
  startedAt: record.createdAt,
  lastTurnAt: record.updatedAt,
  userTurns: record.userTurns,
  toolSteps: record.iterations,
  unreadTurns: record.unread.length,
  block: record.block,
  outsideSeen: record.tainted,
  blockChanges: record.changed?.times ?? 0,
  blockChangedAt: record.changed?.at ?? 0,
  turnsWithBlock: Math.max(0, record.userTurns - (record.changed?.turns ?? 0)),
})

type ReadHome = Pick<SessionHome, 'storage' | 'skills' | 'provider' | 'memoryOf' | 'clock' | 'emit'>

export const sessionReader = (home: ReadHome): SessionReader => {
  const { storage } = home
  const onFailure = (operation: string, error: HermesError) => home.emit({ type: 'storage-failed', at: home.clock(), operation, error })
  return {
    async list() {
      const read = await readJsonDocument(storage, REVIEW_STATE_PATH, reviewStateSchema)
      if (!read.ok) return read
      const { sessions } = read.value ?? EMPTY_REVIEW_STATE
      const summaries = sessions.map(
        ({ id, createdAt, updatedAt, turns, iterations, kept }): SessionSummary => ({
          id,
          startedAt: createdAt,
          lastTurnAt: updatedAt,
          userTurns: turns,
          toolSteps: iterations,
          unreadTurns: kept,
        }),
      )
      return ok(summaries.sort((a, b) => b.lastTurnAt - a.lastTurnAt))
    },
    async get(id) {
      const record = await readJsonDocument(storage, sessionPath(id), sessionRecordSchema)
      return record.ok ? ok(record.value && toStored(record.value)) : record
    },
    async nextBlock(prefix = '', project = undefined) {
      const frozen = await freezeBlock(home, {
        // Reads only. A memory that cannot be read is reported by freezing.
        memory: home.memoryOf('', () => {}, project),
        toolName: (tool) => (prefix === false ? undefined : prefix + tool),
        skillsLimitMs: SKILLS_LIMIT_MS,
        onFailure,
      })
      return frozen.text
    },
  }
}
