/** One line of the journal: every proposal and every write, so that each can be explained and undone (DESIGN 5). */
import * as z from 'zod/mini'
import { type MemoryOp, memoryOpSchema, memoryTargetSchema } from '../memory/memory-op.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import { evidenceSchema } from '../proposal/review-proposal.ts'
import { ORIGINS } from '../shared/origin.ts'
import { type SkillOp, skillOpSchema } from '../skills/skill-op.ts'

const entryDatesSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({ origin: z.enum([...ORIGINS, 'external']), firstSeenAt: z.number(), lastConfirmedAt: z.number() }),
)

const opSchema: z.ZodMiniType<MemoryOp | SkillOp> = /* @__PURE__ */ z.lazy(() => z.union([memoryOpSchema, skillOpSchema]))

const UPKEEP_ACTIONS = ['restore', 'pin', 'unpin', 'manage', 'unmanage', 'pause', 'resume', 'backup', 'rollback', 'prune', 'erase'] as const

/** Tokens and milliseconds of the model calls of one review or curator run; see `LearningCost`. */
const costSchema: z.ZodMiniType<LearningCost> = /* @__PURE__ */ z.lazy(() =>
  z.object({
    model: z.exactOptional(z.string()),
    calls: z.number(),
    inputTokens: z.number(),
    cachedInputTokens: z.number(),
    outputTokens: z.number(),
    estimated: z.boolean(),
    durationMs: z.number(),
  }),
)

const upkeepSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    action: z.enum(UPKEEP_ACTIONS),
    /** The object of the change: a skill, an entry of memory, the scope of a grant, a backup id. */
    subject: z.optional(z.string()),
    before: z.optional(z.string()),
    after: z.optional(z.string()),
  }),
)

const LEDGER_VERDICTS = ['review-finished', 'review-failed', 'review-stopped', 'curator-finished', 'curator-failed'] as const

export type LedgerVerdict = (typeof LEDGER_VERDICTS)[number]

export const journalRecordSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    id: z.string(),
    /** Epoch milliseconds. */
    at: z.number(),
    sessionId: z.optional(z.string()),
    /** The same in all records of one review. Records of earlier versions do not have it. */
    review: z.optional(z.string()),
    /** Who did it: the reviewer after the turn, the agent's own tool call, the host's code, a person, or the curator. */
    actor: z.enum(['review', 'agent', 'host', 'person', 'curator']),
    /**
     * `applied`, `rejected`, `held` (see `pendingId`), `settled` (a held proposal or an entry from outside, confirmed by own words),
     * `failed` (approved, but the store refused), `invalid` (not a proposal). `review-finished`, `review-failed` (see `error`),
     * `review-stopped`, `curator-finished`, `curator-failed`: the end of a review or a curator run, with the cost of its model calls in
     * `cost`.
     */
    verdict: z.enum(['applied', 'rejected', 'held', 'settled', 'failed', 'invalid', ...LEDGER_VERDICTS]),
    reason: z.string(),
    /** For a review: what its model was shown, own words alone or everything. */
    pass: z.optional(z.enum(['own-words', 'everything'])),
    target: z.optional(z.union([memoryTargetSchema, z.literal('skill')])),
    /**
     * A change by a person or the host's code other than writing text: to the library of skills, or, if `target` is set, to an entry of
     * memory.
     */
    upkeep: z.optional(upkeepSchema),
    /** A skill operation if `target` is `skill`; very long texts are cut, with a mark. */
    op: z.optional(opSchema),
    /** An invalid proposal, as JSON text cut at 2,000 characters. */
    raw: z.optional(z.string()),
    rationale: z.optional(z.string()),
    score: z.optional(z.number()),
    origin: z.optional(z.enum(ORIGINS)),
    evidence: z.optional(z.array(evidenceSchema)),
    /** Entries before a replace or remove; for a skill the file's whole former text. */
    previous: z.optional(z.array(z.string())),
    /**
     * For memory: origin, first and last confirmed time (ms; 0 unknown) of the entry in `previous` and of the entry that `op` wrote or
     * confirmed.
     */
    facts: z.optional(z.object({ previous: z.optional(entryDatesSchema), content: z.optional(entryDatesSchema) })),
    /** Memory entries archived to make room; on the first record of a write. */
    evicted: z.optional(z.array(z.object({ text: z.string(), origin: z.enum(ORIGINS) }))),
    /** The archive id of the entry that an `add` brought back to memory. Records of earlier versions do not have it. */
    restoredFrom: z.optional(z.string()),
    pendingId: z.optional(z.string()),
    /** For a skill: the model that wrote or proposed it, as its provider names it. */
    model: z.optional(z.string()),
    /** Undefined if no model was called. */
    cost: z.optional(costSchema),
    error: z.optional(z.object({ code: z.string(), message: z.string() })),
  }),
)

export type JournalRecord = z.infer<typeof journalRecordSchema>

export type JournalUpkeep = z.infer<typeof upkeepSchema>
