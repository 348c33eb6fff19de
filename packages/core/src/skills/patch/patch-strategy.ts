/** The ways in which the text to replace may be found, and what finding it yields. */
import type { PatchSpan } from './patch-lines.ts'

/** In the order they are tried; the reference's names. The last two take what only resembles the quoted text. */
export type SkillPatchStrategy =
  | 'exact'
  | 'line_trimmed'
  | 'whitespace_normalized'
  | 'escape_normalized'
  | 'unicode_normalized'
  | 'block_anchor'
  | 'context_aware'

/** Where one strategy found the text. */
export interface PatchFind {
  readonly strategy: SkillPatchStrategy
  /** At least one, ascending. Spans of whole lines may overlap. */
  readonly spans: readonly PatchSpan[]
  /** The old text as it was looked for: line by line it stands against each span. */
  readonly quoted: string
}

export const isApproximate = (strategy: SkillPatchStrategy): boolean => strategy === 'block_anchor' || strategy === 'context_aware'
