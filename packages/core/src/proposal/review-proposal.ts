/** A proposal once its shape is validated: model output that may be gated, nothing more (seed 004, DESIGN 5). */
import { z } from 'zod'
import { memoryTargetSchema, proposedOpSchema } from '../memory/memory-op.ts'

const MAX_TEXT = 4_000

export const evidenceSchema = z.object({
  /** Id of the cited message; null where the model could not name one. */
  messageId: z
    .string()
    .max(64)
    .nullish()
    .transform((id) => id ?? undefined),
  quote: z.string().min(1).max(MAX_TEXT),
})

export const reviewProposalSchema = z.object({
  target: memoryTargetSchema,
  op: proposedOpSchema,
  rationale: z.string().max(MAX_TEXT).default(''),
  /** How sure the proposer is, 0 to 1. */
  score: z.number().min(0).max(1),
  evidence: z.array(evidenceSchema).max(20).default([]),
})

export type Evidence = { readonly messageId?: string | undefined; readonly quote: string }

/** `evidence` may be left out by a host's own proposer. */
export interface ReviewProposal {
  readonly target: z.infer<typeof memoryTargetSchema>
  readonly op: z.infer<typeof proposedOpSchema>
  readonly rationale: string
  readonly score: number
  readonly evidence?: readonly Evidence[]
}
