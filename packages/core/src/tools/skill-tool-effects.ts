/** The port through which the skill tools read and write: the session puts store, gate, usage and journal behind it. */
import type { Result } from '../shared/result.ts'
import type { SkillOp, SkillOpOutcome } from '../skills/skill-op.ts'
import type { SkillFileView, SkillView } from '../skills/skill-view.ts'
import type { SkillState } from '../usage/usage-record.ts'
import type { ToolContext } from './tool-definition.ts'

export interface ListedSkill {
  readonly name: string
  readonly description: string
  /** `undefined` for a skill at the top. */
  readonly category: string | undefined
  readonly state: SkillState
  /** It can be read and not be changed. Default false. */
  readonly shared?: boolean
}

export interface ListedSkills {
  /** Active and stale ones, in any order. */
  readonly skills: readonly ListedSkill[]
  /** What is wrong in the library, in words. */
  readonly problems: readonly string[]
}

/** Enough to tell whether a skill that is there already will do. */
export interface SimilarSkillHint {
  readonly name: string
  readonly description: string
  /** Below the folder of skills. */
  readonly path: string
  /** It can be read and not be changed. Default false. */
  readonly shared?: boolean
}

export type SkillWriteReply =
  | { readonly kind: 'applied'; readonly outcome: SkillOpOutcome }
  /** Near duplicates of a skill to be created; nothing was written. */
  | { readonly kind: 'similar'; readonly skills: readonly SimilarSkillHint[] }
  /** Waits for a person or the host's code. */
  | { readonly kind: 'held'; readonly reason: string; readonly pendingId?: string }
  /** A gate, a protection or the store said no; `code` and `details` as in `HermesError`. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly details?: Readonly<Record<string, unknown>> }

/** Contract: a failure is an answer; what a method rejects with is told to the model as a failure. */
export interface SkillToolEffects {
  list(): Promise<Result<ListedSkills>>
  /** Contract: only reads; what comes of it is told to `noteShown`. */
  view(name: string, filePath?: string): Promise<Result<SkillView | SkillFileView>>
  /**
   * The model gets to read this; not called where the text is kept out of sight.
   * Contract: counts as a view; of the skill itself, not of a file beside it, as a use too. Never throws, returns at once.
   */
  noteShown(view: SkillView | SkillFileView): void
  /** `createAnyway`: the caller has seen the similar skills. */
  manage(op: SkillOp, options: { readonly createAnyway: boolean }, context?: ToolContext): Promise<SkillWriteReply>
}
