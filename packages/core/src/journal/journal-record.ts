/** One line of the journal: every proposal and every write, so that anything can be explained and undone (DESIGN 5). */
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

/** Tokens and milliseconds of the calls to a model that one review or one run of the curator made; see `LearningCost`. */
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
    /** What it was done to: a skill, an entry of memory, the scope of a grant, an id of a backup. */
    subject: z.string().optional(),
    before: z.string().optional(),
    after: z.string().optional(),
  }),
)

export const LEDGER_VERDICTS = ['review-finished', 'review-failed', 'review-stopped', 'curator-finished', 'curator-failed'] as const

export type LedgerVerdict = (typeof LEDGER_VERDICTS)[number]

export const journalRecordSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    id: z.string(),
    /** Epoch milliseconds. */
    at: z.number(),
    sessionId: z.string().optional(),
    /** Whose doing it was: the reviewer behind the turn, the agent's own tool call, the host's code, a person, or the upkeep of skills. */
    actor: z.enum(['review', 'agent', 'host', 'person', 'curator']),
    /**
     * `applied`, `rejected`, `held` (see `pendingId`), `settled` (own words came to it by themselves: a held proposal, or an entry from outside), `failed` (approved, but the store refused), `invalid` (not a proposal),
     * `review-finished`, `review-failed` (`error` says why), `review-stopped`, `curator-finished`, `curator-failed`: how a review or a run of the curator ended;
     * `cost` says what its calls of a model took.
     */
    verdict: z.enum(['applied', 'rejected', 'held', 'settled', 'failed', 'invalid', ...LEDGER_VERDICTS]),
    reason: z.string(),
    /** Of a review: what its model was shown, own words alone or everything. */
    pass: z.enum(['own-words', 'everything']).optional(),
    target: z.union([memoryTargetSchema, z.literal('skill')]).optional(),
    /** What a person or the host's code did beside writing text: to the library of skills, and, where `target` is one, to an entry of memory. */
    upkeep: upkeepSchema.optional(),
    /** Of a skill where `target` is `skill`; giant texts are cut, with a mark. */
    op: opSchema.optional(),
    /** What was proposed where it is not a valid proposal, as JSON text cut at 2,000 characters. */
    raw: z.string().optional(),
    rationale: z.string().optional(),
    score: z.number().optional(),
    origin: z.enum(ORIGINS).optional(),
    evidence: z.array(evidenceSchema).optional(),
    /** Entries as they were before a replace or remove; for a skill the file's text as it was, whole. */
    previous: z.array(z.string()).optional(),
    /** Of memory: whose the entry was that is `previous`, and whose the one is that `op` wrote or said again; since when known, when last said (ms; 0 unknown). */
    facts: z.object({ previous: entryDatesSchema.optional(), content: entryDatesSchema.optional() }).optional(),
    /** Entries of memory that went to the archive to make room for the write; on the first record of a write. */
    evicted: z.array(z.object({ text: z.string(), origin: z.enum(ORIGINS) })).optional(),
    pendingId: z.string().optional(),
    /** Of a skill: the model that wrote or proposed it, as its provider names it. */
    model: z.string().optional(),
    /** Undefined where no model was called. */
    cost: costSchema.optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  }),
)

export type JournalRecord = z.infer<typeof journalRecordSchema>

export type JournalUpkeep = z.infer<typeof upkeepSchema>
