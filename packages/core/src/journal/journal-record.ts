/** One line of the journal: every proposal and every write, so that anything can be explained and undone (DESIGN 5). */
import { z } from 'zod'
import { memoryOpSchema, memoryTargetSchema } from '../memory/memory-op.ts'
import { evidenceSchema } from '../proposal/review-proposal.ts'
import { ORIGINS } from '../shared/origin.ts'

export const journalRecordSchema = z.object({
  id: z.string(),
  /** Epoch milliseconds. */
  at: z.number(),
  sessionId: z.string().optional(),
  /** Who proposed it: the reviewer behind the turn, or the agent's own tool call. */
  actor: z.enum(['review', 'agent', 'host']),
  /**
   * `applied`, `rejected`, `held` (see `pendingId`), `failed` (approved, but the store refused), `invalid` (not a proposal),
   * `review-failed` (no proposal came out; `error` says why).
   */
  verdict: z.enum(['applied', 'rejected', 'held', 'failed', 'invalid', 'review-failed']),
  reason: z.string(),
  target: memoryTargetSchema.optional(),
  op: memoryOpSchema.optional(),
  /** What was proposed where it is not a valid proposal, as JSON text cut at 2,000 characters. */
  raw: z.string().optional(),
  rationale: z.string().optional(),
  score: z.number().optional(),
  origin: z.enum(ORIGINS).optional(),
  evidence: z.array(evidenceSchema).optional(),
  /** Entries as they were before a replace or remove. */
  previous: z.array(z.string()).optional(),
  pendingId: z.string().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
})

export type JournalRecord = z.infer<typeof journalRecordSchema>
