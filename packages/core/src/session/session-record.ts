/**
 * The session record: what another process needs to continue with the same bytes and the same counts (DESIGN 3). Deltas are merged in the storage's atomic
 * update, so that two processes of one session both count.
 */

import * as z from 'zod/mini'
import { OUTSIDE_HEADING } from '../memory/outside-heading.ts'
import type { SavedCounts } from '../nudge/review-state.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { fingerprint } from '../shared/fingerprint.ts'
import { SESSIONS_FOLDER } from '../storage/storage-paths.ts'
import { joinProofs, NO_PROOF, type Proof, proofSchema } from './proof.ts'
import { boundRecalled, type RecalledTurn } from './recalled-turns.ts'
import type { UnreadTurn } from './unread-turns.ts'

/** How often the frozen text changed after its first prompt, so that a prefix cache had to start again. */
const prefixChangesSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    times: z.int().check(z.positive()),
    /** Of the last change; epoch milliseconds. */
    at: z.number(),
    /** Finished turns of the session before the last change. */
    turns: z.int().check(z.nonnegative()),
  }),
)

/** In a record, `turns` counts from the beginning of the session; in a delta, from the beginning of the delta. */
interface PrefixChanges {
  readonly times: number
  readonly at: number
  readonly turns: number
}

/** Adds later changes. `turnsBefore`: finished turns before those that `then` counts. */
export const addChanges = (
  first: PrefixChanges | undefined,
  then: PrefixChanges | undefined,
  turnsBefore: number,
): { readonly changed?: PrefixChanges } => {
  if (!then) return first ? { changed: first } : {}
  return { changed: { times: (first?.times ?? 0) + then.times, at: then.at, turns: turnsBefore + then.turns } }
}

const turnMessageSchema: z.ZodMiniType<TurnMessage> = /* @__PURE__ */ z.lazy(() =>
  z.object({
    role: z.enum(['user', 'assistant', 'tool']),
    text: z.string(),
    toolNames: z.exactOptional(z.readonly(z.array(z.string()))),
    outside: z.exactOptional(z.boolean()),
    trusted: z.exactOptional(z.boolean()),
  }),
)

const unreadTurnSchema: z.ZodMiniType<UnreadTurn> = /* @__PURE__ */ z.lazy(() =>
  z.object({
    number: z._default(z.int().check(z.positive()), 1),
    messages: z.readonly(z.array(turnMessageSchema)),
    tools: z.exactOptional(z.boolean()),
    forSkills: z.exactOptional(z.boolean()),
    outside: z.exactOptional(z.boolean()),
    tainted: z.exactOptional(z.boolean()),
  }),
)

const recalledTurnSchema: z.ZodMiniType<RecalledTurn> = /* @__PURE__ */ z.lazy(() =>
  z.object({ number: z.int(), after: z.exactOptional(z.int()), key: z.string(), texts: z.readonly(z.array(z.string())) }),
)

const count = /* @__PURE__ */ z.lazy(() => z.int().check(z.nonnegative()))

export const sessionRecordSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    version: z.literal(1),
    id: z.string(),
    createdAt: z.number(),
    updatedAt: z.number(),
    /** The frozen text of the system prompt. */
    block: z.string(),
    /** Absent if the text is still that of the first prompt. */
    changed: z.exactOptional(prefixChangesSchema),
    /** Text from outside was in sight in this session, so the agent's words count as such text until the session ends. */
    tainted: z._default(z.boolean(), false),
    /** Number of finished turns, which is also the number of the newest one. */
    userTurns: count,
    /** Number of model steps that called tools. */
    iterations: z._default(count, 0),
    turnKey: z.optional(z.string()),
    turnOpen: z.boolean(),
    /** Turns that a review has yet to read, oldest first. */
    unread: z._default(z.readonly(z.array(unreadTurnSchema)), []),
    /** Names of the skills that were loaded in this session, oldest first. */
    loadedSkills: z.optional(z.readonly(z.array(z.string()))),
    /** What the memory provider recalled for the user's messages, oldest first. */
    recalled: z.optional(z.readonly(z.array(recalledTurnSchema))),
    /** By which another process recognises the words of this session. */
    proof: z.exactOptional(proofSchema),
  }),
)

export type SessionRecord = z.infer<typeof sessionRecordSchema>

/** What one process adds to the record after its last save. */
export interface SessionDelta {
  readonly turns: number
  readonly iterations: number
  /** Turns from before the session began; they count once, whichever process reports them. */
  readonly earlier?: { readonly turns: number; readonly sinceReview: number }
  /** Names of skills that were loaded, oldest first. */
  readonly loadedSkills?: readonly string[]
  /** What was recalled, oldest first. */
  readonly recalled?: readonly RecalledTurn[]
  /** Text from outside was in sight, whether or not a turn shows it. */
  readonly tainted?: true
  readonly proof?: Proof
  /** Set by `refresh()`: replaces the stored text. Otherwise the stored text stays. */
  readonly block?: string
  /** Changes of a text that was in a prompt. */
  readonly changed?: PrefixChanges
}

export const noDelta: SessionDelta = { turns: 0, iterations: 0 }

/** Maximum number of loaded skill names in a record; the least recently loaded are dropped first. */
const MAX_LOADED_SKILLS = 20

const joinLoaded = (first: readonly string[] = [], then: readonly string[] = []): readonly string[] =>
  [...first.filter((name) => !then.includes(name)), ...new Set(then)].slice(-MAX_LOADED_SKILLS)

/** Joins two deltas, the earlier one first. */
export const joinDeltas = (first: SessionDelta, then: SessionDelta): SessionDelta => ({
  ...first,
  ...then,
  turns: first.turns + then.turns,
  iterations: first.iterations + then.iterations,
  ...(first.loadedSkills || then.loadedSkills ? { loadedSkills: joinLoaded(first.loadedSkills, then.loadedSkills) } : {}),
  ...addChanges(first.changed, then.changed, first.turns),
  ...(first.recalled || then.recalled ? { recalled: [...(first.recalled ?? []), ...(then.recalled ?? [])] } : {}),
  ...(first.proof && then.proof ? { proof: joinProofs(first.proof, then.proof) } : {}),
})

/** Entries from outside are in sight from the first turn on. */
const showsOutsideEntries = (block: string): boolean => block.includes(OUTSIDE_HEADING)

export const newSessionRecord = (id: string, block: string, at: number): SessionRecord => ({
  version: 1,
  id,
  createdAt: at,
  updatedAt: at,
  block,
  tainted: showsOutsideEntries(block),
  userTurns: 0,
  iterations: 0,
  turnOpen: false,
  unread: [],
})

export const addDelta = (record: SessionRecord, delta: SessionDelta, at: number): SessionRecord => {
  const earlier = record.userTurns === 0 ? delta.earlier : undefined
  return {
    ...record,
    updatedAt: at,
    block: delta.block ?? record.block,
    ...addChanges(record.changed, delta.changed, record.userTurns + (earlier?.turns ?? 0)),
    tainted: record.tainted || delta.tainted === true || (delta.block !== undefined && showsOutsideEntries(delta.block)),
    userTurns: record.userTurns + (earlier?.turns ?? 0) + delta.turns,
    iterations: record.iterations + delta.iterations,
    ...(delta.loadedSkills ? { loadedSkills: joinLoaded(record.loadedSkills, delta.loadedSkills) } : {}),
    ...(delta.recalled ? { recalled: boundRecalled([...(record.recalled ?? []), ...delta.recalled]) } : {}),
    ...(delta.proof ? { proof: joinProofs(record.proof ?? NO_PROOF, delta.proof) } : {}),
  }
}

/** What the home keeps of a session. Turns before the first whose text is kept were reviewed, or are too old to be. */
export const countsOf = ({ id, createdAt, userTurns, iterations, updatedAt, unread }: SessionRecord): SavedCounts => {
  const [first] = unread
  return {
    id,
    createdAt,
    turns: userTurns,
    iterations,
    updatedAt,
    reviewed: { turns: first ? first.number - 1 : userTurns, iterations: userTurns === 0 ? 0 : iterations },
    kept: unread.length,
  }
}

const MAX_READABLE = 100

/**
 * `sessions/<id>.json`. Every byte except a-z, 0-9, `_` and `-` is written as `~xx`, so that no two ids collide on a file system that ignores case and no id
 * leaves the folder. A long name is cut and ends in a fingerprint of the id.
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

export const UNREADABLE_FOLDER = `${SESSIONS_FOLDER}/.unreadable`

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Path of an unreadable copy. `path`: of the record. `at`: epoch milliseconds. */
export const unreadableCopy = (path: string, at: number): string => `${UNREADABLE_FOLDER}/${at}-${nameOf(path)}`

/** The document name and the time (epoch milliseconds) of an unreadable copy; undefined for any other name. */
export const readCopyName = (copy: string): { readonly name: string; readonly at: number } | undefined => {
  const [, at, name] = /^(\d+)-(.+)$/.exec(nameOf(copy)) ?? []
  return copy.startsWith(`${UNREADABLE_FOLDER}/`) && at !== undefined && name !== undefined ? { name, at: Number(at) } : undefined
}

/** True if `copy` is an unreadable copy of the session record at `path`. */
const isCopyOf = (copy: string, path: string): boolean => readCopyName(copy)?.name === nameOf(path)

/** True if a document is the record of a session or an unreadable copy of it. */
export const isOfSession = (path: string, id: string): boolean => path === sessionPath(id) || isCopyOf(path, sessionPath(id))
