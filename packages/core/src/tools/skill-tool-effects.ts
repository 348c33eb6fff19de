/** The port through which the skill tools read and write; the session implements it with store, gate, usage and journal. */
import type { Result } from '../shared/result.ts'
import type { SkillOp, SkillOpOutcome } from '../skills/skill-op.ts'
import type { SkillRow } from '../skills/skill-row.ts'
import type { SkillFileView, SkillView } from '../skills/skill-view.ts'
import type { ToolContext } from './tool-definition.ts'

/** What the tool shows of a row. */
export type ListedSkill = Pick<SkillRow, 'name' | 'description' | 'category' | 'state'> & Partial<Pick<SkillRow, 'shared'>>

export interface ListedSkills {
  /** Active and stale skills, in any order. */
  readonly skills: readonly ListedSkill[]
  /** Problems of the skill library, as sentences. */
  readonly problems: readonly string[]
}

/** Enough to decide whether an existing skill can be used instead. */
export interface SimilarSkillHint {
  readonly name: string
  readonly description: string
  /** Relative to the folder of skills. */
  readonly path: string
  /** It can be read but not changed. Default false. */
  readonly shared?: boolean
}

export type SkillWriteReply =
  | { readonly kind: 'applied'; readonly outcome: SkillOpOutcome }
  /** Existing skills similar to the one to be created; nothing was written. */
  | { readonly kind: 'similar'; readonly skills: readonly SimilarSkillHint[] }
  /** Pending for a person or the host's code. */
  | { readonly kind: 'held'; readonly reason: string; readonly pendingId?: string }
  /** Refused by a gate, a protection or the store; `code` and `details` as in `HermesError`. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly details?: Readonly<Record<string, unknown>> }

/** Contract: a failure is an answer; a rejection is reported to the model as a failure. */
export interface SkillToolEffects {
  list(): Promise<Result<ListedSkills>>
  /** Contract: only reads; `noteShown` is called if the text is shown. */
  view(name: string, filePath?: string): Promise<Result<SkillView | SkillFileView>>
  /**
   * Called when the model is shown this text; not called if the text is withheld. Contract: counts as a view, and for the skill itself, not a support file,
   * also as a use. Never throws, returns at once.
   */
  noteShown(view: SkillView | SkillFileView): void
  /** True if the text holds own words alone. */
  isOwn(view: SkillView | SkillFileView): Promise<boolean>
  /** `createAnyway`: the caller has seen the similar skills. */
  manage(op: SkillOp, options: { readonly createAnyway: boolean }, context?: ToolContext): Promise<SkillWriteReply>
}
