/**
 * The session record: what another process needs to go on with the same bytes and the same counts (DESIGN 3). Deltas are merged under the
 * storage's atomic update, so two processes of one session both count.
 */
import { z } from 'zod'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { fingerprint } from '../shared/fingerprint.ts'
import { SESSIONS_FOLDER } from '../storage/storage-paths.ts'
import { boundedBacklog } from './turn-backlog.ts'

const turnMessageSchema = z.object({
  role: z.enum(['user', 'assistant', 'tool']),
  text: z.string(),
  toolNames: z.array(z.string()).readonly().optional(),
  outside: z.boolean().optional(),
})

const count = z.number().int().nonnegative()

export const sessionRecordSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** The frozen text of the system prompt. */
  block: z.string(),
  userTurns: count,
  turnsSinceReview: count,
  iterationsSinceReview: count,
  turnKey: z.string().optional(),
  turnOpen: z.boolean(),
  backlog: z.array(turnMessageSchema).readonly(),
  /** The review under way, in whichever process, with what it took from the backlog. */
  review: z.object({ startedAt: z.number(), backlog: z.array(turnMessageSchema).readonly() }).optional(),
})

export type SessionRecord = z.infer<typeof sessionRecordSchema>

/** What one process adds to the record since its last save. */
export interface SessionDelta {
  readonly turns: number
  readonly iterations: number
  /** Turns that were said before the session began; they count once, whoever says so. */
  readonly earlier?: { readonly turns: number; readonly sinceReview: number }
  /** Set by `refresh()`: this text replaces the stored one. Otherwise the stored one wins. */
  readonly block?: string
}

export const noDelta: SessionDelta = { turns: 0, iterations: 0 }

/** What was counted, refreshed and hydrated first, and then what came on top. */
export const joinDeltas = (first: SessionDelta, then: SessionDelta): SessionDelta => ({
  ...first,
  ...then,
  turns: first.turns + then.turns,
  iterations: first.iterations + then.iterations,
})

export const newSessionRecord = (id: string, block: string, at: number): SessionRecord => ({
  version: 1,
  id,
  createdAt: at,
  updatedAt: at,
  block,
  userTurns: 0,
  turnsSinceReview: 0,
  iterationsSinceReview: 0,
  turnOpen: false,
  backlog: [],
})

export const addDelta = (record: SessionRecord, delta: SessionDelta, at: number): SessionRecord => {
  const earlier = record.userTurns === 0 ? delta.earlier : undefined
  return {
    ...record,
    updatedAt: at,
    block: delta.block ?? record.block,
    userTurns: record.userTurns + (earlier?.turns ?? 0) + delta.turns,
    turnsSinceReview: record.turnsSinceReview + (earlier?.sinceReview ?? 0) + delta.turns,
    iterationsSinceReview: record.iterationsSinceReview + delta.iterations,
  }
}

/** The counts begin anew when the review starts; what it reads stays in the record until it has ended. */
export const startReview = (record: SessionRecord, at: number): SessionRecord => ({
  ...record,
  turnsSinceReview: 0,
  iterationsSinceReview: 0,
  backlog: [],
  review: { startedAt: at, backlog: record.backlog },
})

/**
 * A review that failed, or whose process died, gives back what it had taken: the next one reads it too. The counts stay as they are, so that a model that
 * always fails is not asked after every turn.
 */
export const endReview = (record: SessionRecord, succeeded: boolean): SessionRecord => {
  const { review, ...rest } = record
  if (review === undefined || succeeded) return rest
  return { ...rest, backlog: boundedBacklog([...toTurnMessages(review.backlog), ...toTurnMessages(record.backlog)]) }
}

/** A review that has been under way for so long has died with its process. */
export const withoutStaleReview = (record: SessionRecord, at: number, staleAfterMs: number): SessionRecord =>
  record.review !== undefined && at - record.review.startedAt > staleAfterMs ? endReview(record, false) : record

/** exactOptionalPropertyTypes: zod's optional keys may hold undefined, ours may not. */
export const toTurnMessages = (stored: SessionRecord['backlog']): readonly TurnMessage[] =>
  stored.map(({ role, text, toolNames, outside }) => ({
    role,
    text,
    ...(toolNames === undefined ? {} : { toolNames }),
    ...(outside === undefined ? {} : { outside }),
  }))

const MAX_READABLE = 100

/**
 * `sessions/<id>.json`. Upper case and all that is not a plain letter or digit is written as `~xx`, so that no two ids meet on a file system
 * that ignores case and none leaves the folder.
 */
export const sessionPath = (id: string): string => {
  const readable = Array.from(new TextEncoder().encode(id), (byte) => {
    const char = String.fromCharCode(byte)
    return /[a-z0-9_-]/.test(char) ? char : `~${byte.toString(16).padStart(2, '0')}`
  }).join('')
  const name =
    readable.length <= MAX_READABLE ? readable : `${readable.slice(0, MAX_READABLE - 20)}~-${fingerprint(id)}${fingerprint(`${id}\n`)}`
  return `${SESSIONS_FOLDER}/${name}.json`
}
