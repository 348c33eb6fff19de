/** The strategies for finding the text to replace, and their result. */
import type { PatchSpan } from './patch-lines.ts'

/** In the order tried, with the reference's names. The last two match text that only resembles the quoted one. */
export type SkillPatchStrategy =
  | 'exact'
  | 'line_trimmed'
  | 'whitespace_normalized'
  | 'escape_normalized'
  | 'unicode_normalized'
  | 'block_anchor'
  | 'context_aware'

/** The places where one strategy found the text. */
export interface PatchFind {
  readonly strategy: SkillPatchStrategy
  /** At least one, ascending. Spans of whole lines may overlap. */
  readonly spans: readonly PatchSpan[]
  /** The old text as searched for: its lines correspond to those of each span. */
  readonly quoted: string
}

export const isApproximate = (strategy: SkillPatchStrategy): boolean => strategy === 'block_anchor' || strategy === 'context_aware'
