/** The shape of a session record. Loaded where a record is read; a session that begins needs none. */
import * as z from 'zod/mini'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { ShapeOf } from '../shared/check-shape.ts'
import { projectSchema } from '../storage/project-schema.ts'
import type { RecalledTurn } from './recalled-turns.ts'
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

const resultSchema = /* @__PURE__ */ z.lazy(() => z.object({ digest: z.string(), did: z.string() }))

const proofSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    /** Digests of the own words in the user's messages that opened a turn, oldest first. */
    said: z.readonly(z.array(z.string())),
    /** Digests of what models answered, oldest first. */
    answered: z.readonly(z.array(z.string())),
    /** Results that our tools gave out, oldest first, with what the call did. */
    results: z.readonly(z.array(resultSchema)),
  }),
)

/** By which another process recognises the words of this session: digests, and no text but what our own tools did in an open turn. */
export type Proof = z.infer<typeof proofSchema>

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
    place: z.exactOptional(z.string()),
    next: z.exactOptional(z.string()),
    at: z.exactOptional(z.number()),
    tools: z.exactOptional(z.boolean()),
    forSkills: z.exactOptional(z.boolean()),
    outside: z.exactOptional(z.boolean()),
    tainted: z.exactOptional(z.boolean()),
  }),
)

const recalledTurnSchema: z.ZodMiniType<RecalledTurn> = /* @__PURE__ */ z.lazy(() =>
  z.object({ number: z.int(), after: z.exactOptional(z.int()), key: z.string(), texts: z.readonly(z.array(z.string())) }),
)

/** A finished turn that loaded a skill and in which a tool failed. */
export interface FailedUse {
  readonly skill: string
  /** Number of the turn in its session, from 1. */
  readonly turn: number
  /** That failed. */
  readonly tool: string
}

const failedUseSchema: z.ZodMiniType<FailedUse> = /* @__PURE__ */ z.lazy(() =>
  z.object({ skill: z.string(), turn: z.int(), tool: z.string() } satisfies ShapeOf<FailedUse>),
)

const count = /* @__PURE__ */ z.lazy(() => z.int().check(z.nonnegative()))

export const sessionRecordSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    version: z.literal(1),
    id: z.string(),
    createdAt: z.number(),
    updatedAt: z.number(),
    /** What the conversation is about, as the session was opened. */
    project: z.exactOptional(projectSchema),
    /** It goes on with a session whose record could not be read, and whose project nobody named. */
    isOfUnknownProject: z.exactOptional(z.literal(true)),
    /** The frozen text of the system prompt. */
    block: z.string(),
    /** Maximum code points of that text, as the host asked. */
    maxChars: z.exactOptional(z.number()),
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
    /** Keys of the user's messages that have ids, of finished turns, newest last: another answer to one of them is no turn. */
    finishedKeys: z.exactOptional(z.readonly(z.array(z.string()))),
    /** Fingerprints of what the model asked its tools in the open turn, so that a sub-agent's prompt is not taken for the user's words. */
    asked: z.optional(z.readonly(z.array(z.string()))),
    /** Turns that a review has yet to read, oldest first. */
    unread: z._default(z.readonly(z.array(unreadTurnSchema)), []),
    /** Names of the skills that were loaded in this session, oldest first. */
    loadedSkills: z.optional(z.readonly(z.array(z.string()))),
    /** Those that the open turn has loaded, in whichever process its tools run. */
    loadedInTurn: z.exactOptional(z.readonly(z.array(z.string()))),
    /** Finished turns that loaded a skill and in which a tool failed, oldest first. */
    failedUses: z.exactOptional(z.readonly(z.array(failedUseSchema))),
    /** What the memory provider recalled for the user's messages, oldest first. */
    recalled: z.optional(z.readonly(z.array(recalledTurnSchema))),
    /** By which another process recognises the words of this session. */
    proof: z.exactOptional(proofSchema),
  }),
)

export type SessionRecord = z.infer<typeof sessionRecordSchema>
