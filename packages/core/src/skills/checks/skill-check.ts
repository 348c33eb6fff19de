/** A check of a skill: a task, and what a good answer holds and never holds. One file `checks/<name>.json` each (DESIGN 7). Pure. */
import * as z from 'zod/mini'
import { parseBoundedJson } from '../../shared/bounded-json.ts'
import { checkShape, type ShapeOf } from '../../shared/check-shape.ts'
import { foldVisible } from '../../shared/fold-text.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { byCodeUnit } from '../../storage/document-tree.ts'

/** A text, or several of which one is enough. */
export type ExpectedText = string | readonly string[]

export interface SkillCheck {
  /** What the model is asked to do, at most 4,000 characters. */
  readonly task: string
  /** Texts that a good answer holds, whatever their case and white space. */
  readonly holds: readonly ExpectedText[]
  /** Texts that it never holds. */
  readonly never?: readonly string[] | undefined
}

export interface NamedCheck extends SkillCheck {
  /** Its path in the skill's folder, such as `checks/release.json`. */
  readonly path: string
}

const CHECKS_FOLDER = 'checks'

/** Of one skill. Further ones are not played. */
const MAX_CHECKS = 20

const LIMITS = { maxBytes: 32_768, maxValues: 500 }

const textSchema = z.string().check(z.minLength(1), z.maxLength(200))
const expectedSchema = z.union([textSchema, z.array(textSchema).check(z.minLength(1), z.maxLength(20))])

const checkSchema: z.ZodMiniType<SkillCheck> = /* @__PURE__ */ z.lazy(() =>
  z.strictObject({
    task: z.string().check(z.minLength(1), z.maxLength(4_000)),
    holds: z.array(expectedSchema).check(z.maxLength(20)),
    never: z.optional(z.array(textSchema).check(z.maxLength(20))),
  } satisfies ShapeOf<SkillCheck>),
)

const fold = (text: string): string => foldVisible(text).toLowerCase().replace(/\s+/gu, ' ').trim()

const optionsOf = (expected: ExpectedText): readonly string[] => (typeof expected === 'string' ? [expected] : expected)

/** Why no answer can pass, or every one does. */
const faultOf = ({ holds, never = [] }: SkillCheck): string | undefined => {
  if (holds.length + never.length === 0) return "it expects nothing: give 'holds' or 'never'"
  const forbidden = never.map(fold)
  const contradiction = holds.find((expected) => optionsOf(expected).every((text) => forbidden.some((each) => fold(text).includes(each))))
  return contradiction && `it both expects and forbids '${optionsOf(contradiction)[0]}'`
}

/** `invalid`, with what is wrong with the file. */
export const parseSkillCheck = (path: string, text: string): Result<NamedCheck> => {
  const refuse = (why: string) =>
    err(new HermesError('invalid', `The check '${path}' is not played: ${why}. See docs/skills.md for the format.`, { details: { path } }))
  const json = parseBoundedJson(new TextEncoder().encode(text), LIMITS)
  if (!json.ok) return refuse(json.error.message.replace(/\.$/, ''))
  const parsed = checkShape(checkSchema, json.value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return refuse(`${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'wrong'}`)
  }
  const fault = faultOf(parsed.data)
  return fault === undefined ? ok({ ...parsed.data, path }) : refuse(fault)
}

export interface ReadChecks {
  readonly checks: readonly NamedCheck[]
  /** One for each file that is no check, and for those beyond the limit. */
  readonly problems: readonly HermesError[]
}

const isCheckPath = (path: string): boolean => path.startsWith(`${CHECKS_FOLDER}/`) && path.endsWith('.json')

/** Takes the text files of a skill by their path in its folder; in the order of their paths. */
export const readSkillChecks = (files: ReadonlyMap<string, string>): ReadChecks => {
  const paths = [...files].filter(([path]) => isCheckPath(path)).sort(([a], [b]) => byCodeUnit(a, b))
  const read = paths.map(([path, text]) => parseSkillCheck(path, text))
  const valid = read.flatMap((each) => (each.ok ? [each.value] : []))
  const tooMany = `The skill has ${valid.length} checks; only the first ${MAX_CHECKS} are played.`
  return {
    checks: valid.slice(0, MAX_CHECKS),
    problems: [
      ...read.flatMap((each) => (each.ok ? [] : [each.error])),
      ...(valid.length > MAX_CHECKS ? [new HermesError('over_limit', tooMany)] : []),
    ],
  }
}

export interface CheckedAnswer {
  readonly passed: boolean
  /** What the answer lacks: the first text of each. */
  readonly missing: readonly string[]
  /** What it holds and must not. */
  readonly forbidden: readonly string[]
}

export const judgeAnswer = ({ holds, never = [] }: SkillCheck, answer: string): CheckedAnswer => {
  const folded = fold(answer)
  const has = (text: string): boolean => folded.includes(fold(text))
  const missing = holds.filter((expected) => !optionsOf(expected).some(has)).flatMap((expected) => optionsOf(expected).slice(0, 1))
  const forbidden = never.filter(has)
  return { passed: missing.length + forbidden.length === 0, missing, forbidden }
}
