/** The golden cases of skill patches: their schema, and which of them need more than the matcher. */
import { loadVectors } from './load-vectors.ts'

/** Very long texts are stored as a repetition. */
export type VectorText = string | { readonly repeat: string; readonly times: number }

type ExpectedPatch =
  | { readonly ok: true; readonly strategy?: string; readonly count?: number; readonly result?: string; readonly resultLength?: number }
  | { readonly ok: false; readonly error: string }

interface PatchCall {
  readonly name: string
  readonly old: VectorText
  readonly new: VectorText
  readonly replaceAll: boolean
  readonly expect: ExpectedPatch
  readonly note?: string
}

/** A case for the matcher alone. */
export interface MatcherCase extends PatchCall {
  readonly content: string
}

/** A case for the whole tool: the document and files of the skill before, the target file after. */
export interface SkillPatchCase extends PatchCall {
  readonly skillMd: string
  readonly files: Readonly<Record<string, string>>
  readonly filePath: string | null
}

/** The cases for the skill store: they also check frontmatter, paths and sizes. */
export const needsSkillStore = (vector: MatcherCase | SkillPatchCase): vector is SkillPatchCase => vector.name.startsWith('skill/')

export const toText = (text: VectorText): string => (typeof text === 'string' ? text : text.repeat.repeat(text.times))

/** `undefined` if the folder of vectors has no such file. */
export const loadSkillPatchVectors = (): ReadonlyArray<MatcherCase | SkillPatchCase> | undefined =>
  loadVectors<{ readonly cases: ReadonlyArray<MatcherCase | SkillPatchCase> }>('skill-patch')?.cases
