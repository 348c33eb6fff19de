/** One line of the journal: every proposal and every write, so that anything can be explained and undone (DESIGN 5). */
import { z } from 'zod'
import { type MemoryOp, memoryOpSchema, memoryTargetSchema } from '../memory/memory-op.ts'
import { evidenceSchema } from '../proposal/review-proposal.ts'
import { ORIGINS } from '../shared/origin.ts'
import { type SkillOp, skillOpSchema } from '../skills/skill-op.ts'

const entryDatesSchema = z.object({ origin: z.enum([...ORIGINS, 'external']), firstSeenAt: z.number(), lastConfirmedAt: z.number() })

const opSchema: z.ZodType<MemoryOp | SkillOp> = z.union([memoryOpSchema, skillOpSchema])

const UPKEEP_ACTIONS = ['restore', 'pin', 'unpin', 'manage', 'unmanage', 'pause', 'resume', 'backup', 'rollback', 'prune'] as const

const upkeepSchema = z.object({
  action: z.enum(UPKEEP_ACTIONS),
  /** What it was done to: a skill, the scope of a grant, an id of a backup. */
  subject: z.string().optional(),
  before: z.string().optional(),
  after: z.string().optional(),
})

export const journalRecordSchema = z.object({
  id: z.string(),
  /** Epoch milliseconds. */
  at: z.number(),
  sessionId: z.string().optional(),
  /** Whose doing it was: the reviewer behind the turn, the agent's own tool call, the host's code, a person, or the upkeep of skills. */
  actor: z.enum(['review', 'agent', 'host', 'person', 'curator']),
  /**
   * `applied`, `rejected`, `held` (see `pendingId`), `failed` (approved, but the store refused), `invalid` (not a proposal),
   * `review-failed` (no proposal came out; `error` says why).
   */
  verdict: z.enum(['applied', 'rejected', 'held', 'failed', 'invalid', 'review-failed']),
  reason: z.string(),
  target: z.union([memoryTargetSchema, z.literal('skill')]).optional(),
  /** What a person or the host's code did to the library beside the text of skills. */
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
  pendingId: z.string().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
})

export type JournalRecord = z.infer<typeof journalRecordSchema>

export type JournalUpkeep = z.infer<typeof upkeepSchema>
