/** One line of the journal: every proposal and every write, so that each can be explained and undone (DESIGN 5). */
import * as z from 'zod'
import { type MemoryOp, memoryOpSchema, memoryTargetSchema } from '../memory/memory-op.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import { evidenceSchema } from '../proposal/review-proposal.ts'
import { ORIGINS } from '../shared/origin.ts'
import { type SkillOp, skillOpSchema } from '../skills/skill-op.ts'

const entryDatesSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({ origin: z.enum([...ORIGINS, 'external']), firstSeenAt: z.number(), lastConfirmedAt: z.number() }),
)

const opSchema: z.ZodType<MemoryOp | SkillOp> = /* @__PURE__ */ z.lazy(() => z.union([memoryOpSchema, skillOpSchema]))

const UPKEEP_ACTIONS = ['restore', 'pin', 'unpin', 'manage', 'unmanage', 'pause', 'resume', 'backup', 'rollback', 'prune', 'erase'] as const

/** Tokens and milliseconds of the model calls of one review or curator run; see `LearningCost`. */
const costSchema: z.ZodType<LearningCost> = /* @__PURE__ */ z.lazy(() =>
  z.object({
    model: z.string().exactOptional(),
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
    subject: z.string().optional(),
    before: z.string().optional(),
    after: z.string().optional(),
  }),
)

const LEDGER_VERDICTS = ['review-finished', 'review-failed', 'review-stopped', 'curator-finished', 'curator-failed'] as const

export type LedgerVerdict = (typeof LEDGER_VERDICTS)[number]

export const journalRecordSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    id: z.string(),
    /** Epoch milliseconds. */
    at: z.number(),
    sessionId: z.string().optional(),
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
    pass: z.enum(['own-words', 'everything']).optional(),
    target: z.union([memoryTargetSchema, z.literal('skill')]).optional(),
    /**
     * A change by a person or the host's code other than writing text: to the library of skills, or, if `target` is set, to an entry of
     * memory.
     */
    upkeep: upkeepSchema.optional(),
    /** A skill operation if `target` is `skill`; very long texts are cut, with a mark. */
    op: opSchema.optional(),
    /** An invalid proposal, as JSON text cut at 2,000 characters. */
    raw: z.string().optional(),
    rationale: z.string().optional(),
    score: z.number().optional(),
    origin: z.enum(ORIGINS).optional(),
    evidence: z.array(evidenceSchema).optional(),
    /** Entries before a replace or remove; for a skill the file's whole former text. */
    previous: z.array(z.string()).optional(),
    /**
     * For memory: origin, first and last confirmed time (ms; 0 unknown) of the entry in `previous` and of the entry that `op` wrote or
     * confirmed.
     */
    facts: z.object({ previous: entryDatesSchema.optional(), content: entryDatesSchema.optional() }).optional(),
    /** Memory entries archived to make room; on the first record of a write. */
    evicted: z.array(z.object({ text: z.string(), origin: z.enum(ORIGINS) })).optional(),
    pendingId: z.string().optional(),
    /** For a skill: the model that wrote or proposed it, as its provider names it. */
    model: z.string().optional(),
    /** Undefined if no model was called. */
    cost: costSchema.optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  }),
)

export type JournalRecord = z.infer<typeof journalRecordSchema>

export type JournalUpkeep = z.infer<typeof upkeepSchema>
