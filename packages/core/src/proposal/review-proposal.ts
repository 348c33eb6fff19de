/** A proposal with a validated shape: model output that may be passed to the gate, nothing more (seed 004, DESIGN 5). */
import * as z from 'zod/mini'
import { type MemoryOp, type MemoryTarget, memoryTargetSchema, proposedOpSchema } from '../memory/memory-op.ts'
import { type SkillOp, skillOpSchema } from '../skills/skill-op.ts'

const MAX_TEXT = 4_000

export const quoteSchema = /* @__PURE__ */ z.lazy(() => z.string().check(z.minLength(1), z.maxLength(MAX_TEXT)))

export const evidenceSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    /** Id of the cited message; null if the model could not name one. */
    messageId: z.pipe(
      z.nullish(z.string().check(z.maxLength(64))),
      z.transform((id) => id ?? undefined),
    ),
    quote: quoteSchema,
  }),
)

const reasons = () => ({
  rationale: z._default(z.string().check(z.maxLength(MAX_TEXT)), ''),
  /** Confidence of the proposer, 0 to 1. */
  score: z.number().check(z.gte(0), z.lte(1)),
  evidence: z._default(z.array(evidenceSchema).check(z.maxLength(20)), []),
})

/** A change of one of the two bounded memory stores. */
const memoryProposalSchema = /* @__PURE__ */ z.lazy(() => z.object({ target: memoryTargetSchema, op: proposedOpSchema, ...reasons() }))

/** A change of a skill. */
const skillProposalSchema = /* @__PURE__ */ z.lazy(() => z.object({ target: z.literal('skill'), op: skillOpSchema, ...reasons() }))

export const reviewProposalSchema = /* @__PURE__ */ z.lazy(() =>
  z.discriminatedUnion('target', [memoryProposalSchema, skillProposalSchema]),
)

export type Evidence = { readonly messageId?: string | undefined; readonly quote: string }

interface ProposalReasons {
  readonly rationale: string
  readonly score: number
  /** A host's own proposer may omit it. */
  readonly evidence?: readonly Evidence[]
}

export interface MemoryProposal extends ProposalReasons {
  readonly target: MemoryTarget
  readonly op: MemoryOp
}

export interface SkillProposal extends ProposalReasons {
  readonly target: 'skill'
  readonly op: SkillOp
}

/** Discriminated by `target`. */
export type ReviewProposal = MemoryProposal | SkillProposal
