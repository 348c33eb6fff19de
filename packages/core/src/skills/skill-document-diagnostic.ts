/** Problems of a SKILL.md, by the rules of Python Hermes and of the open Agent Skills format (reference skills-curator 2). */

/** Refused in a new skill; an existing skill is read all the same. */
const SKILL_PROBLEMS = [
  'byte_order_mark',
  'no_front_matter',
  'unclosed_front_matter',
  'opening_fence',
  'yaml',
  'not_a_mapping',
  'duplicate_key',
  'no_name',
  'invalid_name',
  'name_mismatch',
  'no_description',
  'description_too_long',
  'compatibility',
  'no_body',
  'too_large',
] as const

export type SkillProblemCode = (typeof SKILL_PROBLEMS)[number]

/** Informational, never refused. */
export type SkillNoteCode = 'description_cut' | 'foreign_key' | 'field_shape'

export interface SkillDiagnostic {
  readonly code: SkillProblemCode | SkillNoteCode
  /** What is wrong and what to do about it. */
  readonly message: string
}

export const isSkillProblem = ({ code }: SkillDiagnostic): boolean => SKILL_PROBLEMS.some((problem) => problem === code)
