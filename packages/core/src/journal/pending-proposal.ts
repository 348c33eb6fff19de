/** An entry of the queue: an operation on a store or a skill that waits for a person or the host's code (DESIGN 5). */
import * as z from 'zod/mini'
import { memoryOpSchema, memoryTargetSchema } from '../memory/memory-op.ts'
import { quoteSchema } from '../proposal/review-proposal.ts'
import { ORIGINS } from '../shared/origin.ts'
import { type SkillOp, skillOpSchema } from '../skills/skill-op.ts'

const storedEvidence = /* @__PURE__ */ z.lazy(() => z.object({ messageId: z.optional(z.string()), quote: quoteSchema }))

const skillOps: z.ZodMiniType<SkillOp> = skillOpSchema

const shared = () => ({
  /** The same for equal target and operations. */
  id: z.string(),
  /** Epoch milliseconds; when it was first held. */
  at: z.number(),
  sessionId: z.optional(z.string()),
  reason: z.string(),
  origin: z.optional(z.enum(ORIGINS)),
  rationale: z.string(),
  score: z.number(),
  evidence: z.array(storedEvidence),
})

const pendingMemorySchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    ...shared(),
    target: memoryTargetSchema,
    /** Several operations form a group that is applied all or nothing. */
    ops: z.array(memoryOpSchema).check(z.minLength(1)),
  }),
)

const pendingSkillSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    ...shared(),
    target: z.literal('skill'),
    /** Exactly one. */
    ops: z.array(skillOps).check(z.length(1)),
    /** The version of the file when it was held, null if there was none: the approval is not valid for another version. */
    base: z.nullable(z.string()),
    /** The model that proposed it, as its provider names it. */
    model: z.optional(z.string()),
  }),
)

export const pendingProposalSchema = /* @__PURE__ */ z.lazy(() => z.discriminatedUnion('target', [pendingMemorySchema, pendingSkillSchema]))

export type PendingMemoryProposal = z.infer<typeof pendingMemorySchema>
export type PendingSkillProposal = z.infer<typeof pendingSkillSchema>
