/**
 * Recurring tasks whose right result needs a rule of the house that no model can know: `tasks.jsonl` has the tasks of each family with the checks of their results,
 * `curated/` a skill for each, written by hand. Invented for this repository, and under its licence (MIT). `hermes eval skills` has them in its bundle.
 */
import { readFileSync } from 'node:fs'
import { readLines } from '../read-lines.ts'

/** What a right result is. Everything given must hold. */
export interface ResultCheck {
  /** Texts that it holds, whatever their case and white space; of a list, one is enough. */
  readonly holds?: readonly (string | readonly string[])[]
  /** Texts that it never holds. */
  readonly never?: readonly string[]
  /** Texts that it holds one after the other, letter for letter. */
  readonly order?: readonly string[]
  /** Regular expressions (flags `m` and `u`) that it matches. None repeats a group, so that none takes long. */
  readonly matches?: readonly string[]
  /** It is JSON with exactly this value. */
  readonly json?: unknown
  /** The last number in it. */
  readonly number?: number
}

export interface FamilyTask {
  readonly family: string
  readonly part: 'training' | 'held-out'
  readonly task: string
  readonly check: ResultCheck
  /** What the person says to a wrong result: only in training. */
  readonly correction?: string
  /** Words of the correction that the curated skill has too: the scripted model follows any text that has them. Only in training. */
  readonly rule?: string
  /** A result that passes, and one that a model without the rule may give: for the scripted model, and to prove the check. */
  readonly good: string
  readonly plain: string
}

export interface SkillFamily {
  readonly name: string
  /** At least one; in this order. */
  readonly training: readonly FamilyTask[]
  readonly heldOut: readonly FamilyTask[]
  /** The SKILL.md that a person wrote. */
  readonly curated: string
}

const TASKS = readLines<FamilyTask>(new URL('tasks.jsonl', import.meta.url))

export const FAMILIES: readonly SkillFamily[] = [...new Set(TASKS.map(({ family }) => family))].map((name) => ({
  name,
  training: TASKS.filter(({ family, part }) => family === name && part === 'training'),
  heldOut: TASKS.filter(({ family, part }) => family === name && part === 'held-out'),
  curated: readFileSync(new URL(`curated/${name}/SKILL.md`, import.meta.url), 'utf8'),
}))
