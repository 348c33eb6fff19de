/** An entry of the queue: an operation on a store or a skill that waits for a person or the host's code (DESIGN 5). */
import * as z from 'zod/mini'
import type { MemoryOp, MemoryTarget } from '../memory/memory-op.ts'
import { memoryOpSchema, memoryTargetSchema } from '../memory/memory-op-schema.ts'
import { type Evidence, quoteSchema } from '../proposal/review-proposal.ts'
import type { ShapeOf } from '../shared/check-shape.ts'
import { ORIGINS, type Origin } from '../shared/origin.ts'
import type { SkillOp } from '../skills/skill-op.ts'
import { skillOpSchema } from '../skills/skill-op-schema.ts'
import { projectSchema } from '../storage/project-schema.ts'

interface PendingFields {
  /** The same for equal target and operations. */
  readonly id: string
  /** Epoch milliseconds; when it was first held. */
  readonly at: number
  readonly sessionId?: string | undefined
  /** Whose store it is for, with the target `project`; for a skill, the project that it was learned in. */
  readonly project?: string | undefined
  readonly reason: string
  readonly origin?: Origin | undefined
  readonly rationale: string
  readonly score: number
  readonly evidence: readonly Evidence[]
}

/** A file beside a SKILL.md: `text`, or the bytes of one that is not text. */
export interface HeldSkillFile {
  /** Inside the folder of the skill. */
  readonly path: string
  readonly text?: string | undefined
  readonly base64?: string | undefined
  readonly executable?: boolean | undefined
}

/** A merge of skills: beside the text and the files of the umbrella, the skills that go to the archive in the same update. */
export interface HeldMerge {
  /** The umbrella's folder, relative to the skills folder. */
  readonly path: string
  /** Who a new umbrella belongs to: the agent, if all its sources do. */
  readonly createdBy: 'agent' | null
  readonly sources: readonly HeldMergeSource[]
}

export interface HeldMergeSource {
  readonly name: string
  /** Relative to the skills folder. */
  readonly path: string
  /** For the archive. */
  readonly reason: string
  /** Each file of the skill with its version as it was merged: another version is not archived. */
  readonly files: readonly { readonly path: string; readonly version: string }[]
}

export interface PendingMemoryProposal extends PendingFields {
  readonly target: MemoryTarget
  /** Several operations form a group that is applied all or nothing. */
  readonly ops: readonly MemoryOp[]
}

export interface PendingSkillProposal extends PendingFields {
  readonly target: 'skill'
  /** Exactly one. */
  readonly ops: readonly SkillOp[]
  /** The version of the file when it was held, null if there was none: the approval is not valid for another version. */
  readonly base: string | null
  /** The model that proposed it, as its provider names it. */
  readonly model?: string | undefined
  /** For a skill of an archive, which the agent did not write: all its files besides the SKILL.md. They are approved together. */
  readonly files?: readonly HeldSkillFile[] | undefined
  /** The text is an umbrella: its files and the move of its sources are approved with it. */
  readonly merge?: HeldMerge | undefined
}

const storedEvidence = /* @__PURE__ */ z.lazy(() => z.object({ messageId: z.optional(z.string()), quote: quoteSchema }))

const skillOps: z.ZodMiniType<SkillOp> = skillOpSchema

const heldFile = /* @__PURE__ */ z.lazy(() =>
  z.object({
    path: z.string(),
    text: z.optional(z.string()),
    base64: z.optional(z.string()),
    executable: z.optional(z.boolean()),
  } satisfies ShapeOf<HeldSkillFile>),
)

const heldMerge = /* @__PURE__ */ z.lazy(() =>
  z.object({
    path: z.string(),
    createdBy: z.nullable(z.literal('agent')),
    sources: z.array(
      z.object({
        name: z.string(),
        path: z.string(),
        reason: z.string(),
        files: z.array(z.object({ path: z.string(), version: z.string() })),
      } satisfies ShapeOf<HeldMergeSource>),
    ),
  } satisfies ShapeOf<HeldMerge>),
)

const shared = () =>
  ({
    id: z.string(),
    at: z.number(),
    sessionId: z.optional(z.string()),
    project: z.optional(projectSchema),
    reason: z.string(),
    origin: z.optional(z.enum(ORIGINS)),
    rationale: z.string(),
    score: z.number(),
    evidence: z.array(storedEvidence),
  }) satisfies ShapeOf<PendingFields>

const pendingMemorySchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    ...shared(),
    target: memoryTargetSchema,
    ops: z.array(memoryOpSchema).check(z.minLength(1)),
  } satisfies ShapeOf<PendingMemoryProposal>),
)

const pendingSkillSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    ...shared(),
    target: z.literal('skill'),
    ops: z.array(skillOps).check(z.length(1)),
    base: z.nullable(z.string()),
    model: z.optional(z.string()),
    files: z.optional(z.array(heldFile)),
    merge: z.optional(heldMerge),
  } satisfies ShapeOf<PendingSkillProposal>),
)

export const pendingProposalSchema = /* @__PURE__ */ z.lazy(() => z.discriminatedUnion('target', [pendingMemorySchema, pendingSkillSchema]))
