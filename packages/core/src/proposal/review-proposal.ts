/** A proposal with a validated shape: model output that may be passed to the gate, nothing more (seed 004, DESIGN 5). */
import * as z from 'zod/mini'
import type { MemoryOp, MemoryTarget } from '../memory/memory-op.ts'
import { memoryTargetSchema, proposedOpSchema } from '../memory/memory-op-schema.ts'
import { checkShape } from '../shared/check-shape.ts'
import type { SkillOp } from '../skills/skill-op.ts'
import { skillOpSchema } from '../skills/skill-op-schema.ts'

const MAX_TEXT = 4_000
const MAX_ID = 64

export const quoteSchema = /* @__PURE__ */ z.lazy(() => z.string().check(z.minLength(1), z.maxLength(MAX_TEXT)))

/** What `evidenceSchema` takes as it is, quicker. */
export const isQuote = (value: unknown): boolean => typeof value === 'string' && value.length > 0 && value.length <= MAX_TEXT
export const isMessageId = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_ID

/** Models and hosts may leave a field out or send null; both mean the preset. */
const left = <T extends z.ZodMiniType, Preset>(schema: T, preset: Preset) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? preset),
  )

export const evidenceSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    /** Id of the cited message, if the model could name one. */
    messageId: left(z.string().check(z.maxLength(MAX_ID)), undefined),
    quote: quoteSchema,
  }),
)

const reasons = () => ({
  rationale: left(z.string().check(z.maxLength(MAX_TEXT)), ''),
  /** Confidence of the proposer, 0 to 1. */
  score: z.number().check(z.gte(0), z.lte(1)),
  evidence: left(z.array(evidenceSchema).check(z.maxLength(20)), []),
})

/** A change of one of the two bounded memory stores. */
const memoryProposalSchema = /* @__PURE__ */ z.lazy(() => z.object({ target: memoryTargetSchema, op: proposedOpSchema, ...reasons() }))

/** A change of a skill. */
const skillProposalSchema = /* @__PURE__ */ z.lazy(() => z.object({ target: z.literal('skill'), op: skillOpSchema, ...reasons() }))

export const reviewProposalSchema = /* @__PURE__ */ z.lazy(() =>
  z.discriminatedUnion('target', [memoryProposalSchema, skillProposalSchema]),
)

/** Why a value is not a proposal; undefined if it is one. */
export const proposalFault = (raw: unknown): string | undefined => {
  const [issue] = checkShape(reviewProposalSchema, raw).error?.issues ?? []
  if (!issue) return undefined
  const where = issue.path.length > 0 ? ` at '${issue.path.join('.')}'` : ''
  return `It is not a valid proposal${where}: ${issue.message}.`
}

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
