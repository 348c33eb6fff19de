/**
 * The session record: what another process needs to go on with the same bytes and the same counts (DESIGN 3). Deltas are merged under the
 * storage's atomic update, so two processes of one session both count.
 */
import { z } from 'zod'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { fingerprint } from '../shared/fingerprint.ts'
import { SESSIONS_FOLDER } from '../storage/storage-paths.ts'

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
})

export type SessionRecord = z.infer<typeof sessionRecordSchema>

/** What one process adds to the record since its last save. */
export interface SessionDelta {
  readonly turns: number
  readonly iterations: number
  /** Set by `refresh()`: this text replaces the stored one. Otherwise the stored one wins. */
  readonly block?: string
}

export const noDelta: SessionDelta = { turns: 0, iterations: 0 }

export const newSessionRecord = (id: string, block: string, turnsSinceReview: number, at: number): SessionRecord => ({
  version: 1,
  id,
  createdAt: at,
  updatedAt: at,
  block,
  userTurns: turnsSinceReview,
  turnsSinceReview,
  iterationsSinceReview: 0,
  turnOpen: false,
  backlog: [],
})

export const addDelta = (record: SessionRecord, delta: SessionDelta, at: number): SessionRecord => ({
  ...record,
  updatedAt: at,
  block: delta.block ?? record.block,
  userTurns: record.userTurns + delta.turns,
  turnsSinceReview: record.turnsSinceReview + delta.turns,
  iterationsSinceReview: record.iterationsSinceReview + delta.iterations,
})

/** The part of the record that a review takes with it when it starts. */
export const startReview = (record: SessionRecord): SessionRecord => ({
  ...record,
  turnsSinceReview: 0,
  iterationsSinceReview: 0,
  backlog: [],
})

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
