/** What a SKILL.md holds, and what is wrong with it by the rules of Python Hermes and of the open Agent Skills format (reference skills-curator 2). Pure. */
import type { FrontMatter, SkillText } from './front-matter.ts'
import { checkSkillName, MAX_SKILL_NAME_CHARS } from './skill-name.ts'

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
type SkillNoteCode = 'description_cut' | 'foreign_key' | 'field_shape'

export interface SkillDiagnostic {
  readonly code: SkillProblemCode | SkillNoteCode
  /** What is wrong and what to do about it. */
  readonly message: string
}

export const isSkillProblem = ({ code }: SkillDiagnostic): boolean => SKILL_PROBLEMS.some((problem) => problem === code)

/** Code points. */
export const MAX_SKILL_DESCRIPTION_CHARS = 1024
/**
 * Code points. Python Hermes cuts longer descriptions in the list that the agent sees, and refuses them in new skills; here it is a note.
 */
const SHORT_SKILL_DESCRIPTION_CHARS = 60
/** Code points. */
const MAX_COMPATIBILITY_CHARS = 500

const OPEN_FORMAT_KEYS = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']

/** Stops counting at the limit. */
export const isLongerThan = (text: string, limit: number): boolean => {
  if (text.length <= limit) return false
  let count = 0
  for (const _ of text) if (++count > limit) return true
  return false
}

const judgeName = (name: string | undefined, folderName: string): readonly SkillDiagnostic[] => {
  if (name === undefined || name.trim() === '') {
    return [{ code: 'no_name', message: `The front matter has no name. Add the line 'name: ${folderName}'.` }]
  }
  const checked = checkSkillName(name)
  const invalid: readonly SkillDiagnostic[] = checked.ok ? [] : [{ code: 'invalid_name', message: checked.error.message }]
  if (name === folderName) return invalid
  const shown = name.slice(0, 80)
  return [
    ...invalid,
    { code: 'name_mismatch', message: `The front matter calls it '${shown}', but its folder is '${folderName}'. Use one name.` },
  ]
}

const judgeDescription = (description: unknown): readonly SkillDiagnostic[] => {
  if (typeof description !== 'string' || description.trim() === '') {
    return [
      {
        code: 'no_description',
        message: "The front matter has no description in words. Add 'description:' with what the skill does and when to use it.",
      },
    ]
  }
  if (isLongerThan(description, MAX_SKILL_DESCRIPTION_CHARS)) {
    return [
      {
        code: 'description_too_long',
        message: `The description is longer than ${MAX_SKILL_DESCRIPTION_CHARS} characters. Move details into the body.`,
      },
    ]
  }
  if (!isLongerThan(description.trim(), SHORT_SKILL_DESCRIPTION_CHARS)) return []
  const message = `The description is longer than ${SHORT_SKILL_DESCRIPTION_CHARS} characters: Python Hermes lists only its beginning, so say there what the skill is for.`
  return [{ code: 'description_cut', message }]
}

const judgeCompatibility = (value: unknown): readonly SkillDiagnostic[] => {
  if (value === undefined) return []
  const fits = typeof value === 'string' && !isLongerThan(value, MAX_COMPATIBILITY_CHARS)
  return fits
    ? []
    : [{ code: 'compatibility', message: `'compatibility' must be a text of at most ${MAX_COMPATIBILITY_CHARS} characters.` }]
}

const isTextMap = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every((item) => typeof item === 'string')

const judgeShapes = (data: FrontMatter['data']): readonly SkillDiagnostic[] => {
  const wrong = [
    ...(data['metadata'] === undefined || isTextMap(data['metadata']) ? [] : ["'metadata' a map of texts"]),
    ...(data['allowed-tools'] === undefined || typeof data['allowed-tools'] === 'string'
      ? []
      : ["'allowed-tools' a text with spaces between tools"]),
    ...(data['license'] === undefined || typeof data['license'] === 'string' ? [] : ["'license' a text"]),
  ]
  return wrong.length === 0 ? [] : [{ code: 'field_shape', message: `The open Agent Skills format requires ${wrong.join(' and ')}.` }]
}

const judgeKeys = (data: FrontMatter['data']): readonly SkillDiagnostic[] => {
  const foreign = Object.keys(data).filter((key) => !OPEN_FORMAT_KEYS.includes(key))
  if (foreign.length === 0) return []
  const shown = foreign.slice(0, 5).map((key) => `'${key.slice(0, 40)}'`)
  return [
    { code: 'foreign_key', message: `The open Agent Skills format does not define ${shown.join(', ')}; put other data under 'metadata'.` },
  ]
}

const judgeFields = ({ data, texts }: FrontMatter, folderName: string): readonly SkillDiagnostic[] => [
  ...judgeName(texts.get('name'), folderName),
  ...judgeDescription(data['description']),
  ...judgeCompatibility(data['compatibility']),
  ...judgeShapes(data),
  ...judgeKeys(data),
]

/** Code points of the whole file. */
export const MAX_SKILL_CHARS = 100_000

export interface SkillDocument {
  /** The name in the front matter, which is the skill's key in the usage sidecar; the folder's name if there is no usable one. */
  readonly name: string
  /** From the front matter, otherwise the first line of prose in the body, otherwise `''`. */
  readonly description: string
  /** All keys as data, unknown ones included. */
  readonly frontMatter: Readonly<Record<string, unknown>>
  readonly body: string
  readonly diagnostics: readonly SkillDiagnostic[]
}

export interface SkillPlace {
  readonly folderName: string
}

// Paths, control characters and empty names must not become a key.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused here
const unusable = /[\u0000-\u001f\u007f/\\]|[\ud800-\udfff]|^\.{0,2}$/u

const usableName = (name: string | undefined): string | undefined => {
  const trimmed = name?.trim() ?? ''
  return unusable.test(trimmed) || trimmed.length > 255 ? undefined : trimmed
}

const firstLineOf = (body: string): string => {
  let heading = ''
  for (let start = 0; start < body.length; ) {
    const end = body.indexOf('\n', start)
    const words = body.slice(start, end === -1 ? undefined : end).trim()
    start = end === -1 ? body.length : end + 1
    if (words === '') continue
    if (!words.startsWith('#')) return words
    heading ||= words.replace(/^#+\s*/, '')
  }
  return heading
}

const FAULTS = {
  no_front_matter:
    "It does not begin with front matter. Start the file with a line '---', then 'name:' and 'description:', then a line '---'.",
  unclosed_front_matter: "Its front matter does not end. Put a line '---' after the last key.",
} as const

const OPENING = "The first line must be '---' and nothing else."
const MARK = 'It begins with a byte order mark. Save it as UTF-8 without one.'
const NO_BODY = 'It has no instructions. Write them below the front matter.'
const ADD_KEYS = "Write 'name:' and 'description:' between the fences."
const QUOTE = "Put a value that holds ': ' or a special character in quotes."

const describeFault = ({ code, reason }: NonNullable<FrontMatter['fault']>): string =>
  code === 'yaml' ? `The front matter is not YAML (${reason}). ${QUOTE}` : `The front matter is empty: ${reason}. ${ADD_KEYS}`

/** The text of a SKILL.md with its parts. */
export interface SplitSkill extends SkillText {
  readonly text: string
}

/** Without `frontMatter` if there is none to read. */
export const toSkillDocument = (
  { text, marks, opening, body, fault }: SplitSkill,
  frontMatter: FrontMatter | undefined,
  { folderName }: SkillPlace,
): SkillDocument => {
  const diagnostics: SkillDiagnostic[] = []
  const note = (code: SkillDiagnostic['code'], message: string): void => void diagnostics.push({ code, message })

  if (isLongerThan(text, MAX_SKILL_CHARS))
    note('too_large', `It is longer than ${MAX_SKILL_CHARS} characters. Move parts into support files.`)
  if (marks !== '') note('byte_order_mark', MARK)
  if (fault) note(fault, FAULTS[fault])
  if (!frontMatter) return { name: folderName, description: firstLineOf(body), frontMatter: {}, body, diagnostics }
  if (opening.trim() !== '---') note('opening_fence', OPENING)
  const { data, texts, duplicates } = frontMatter
  if (frontMatter.fault) note(frontMatter.fault.code, describeFault(frontMatter.fault))
  if (duplicates.length > 0) note('duplicate_key', `The front matter contains '${duplicates[0]}' twice. Keep one.`)
  if (frontMatter.fault?.code !== 'not_a_mapping') diagnostics.push(...judgeFields(frontMatter, folderName))
  if (body.trim() === '') note('no_body', NO_BODY)

  const described = texts.get('description')?.trim() ?? ''
  return {
    name: usableName(texts.get('name')) ?? folderName,
    description: described === '' ? firstLineOf(body) : described,
    frontMatter: data,
    body,
    diagnostics,
  }
}

const cut = (text: string, length: number): string =>
  text.length <= length ? text : [...text.slice(0, length * 2)].slice(0, length).join('')

/** Name and description on one line each, cut to the limits of the formats, so that no skill dominates a list. */
export const toSkillListing = ({ name, description }: SkillDocument): { readonly name: string; readonly description: string } => ({
  name: cut(name, MAX_SKILL_NAME_CHARS),
  description: cut(
    description
      .slice(0, MAX_SKILL_DESCRIPTION_CHARS * 4)
      .replace(/\s+/g, ' ')
      .trim(),
    MAX_SKILL_DESCRIPTION_CHARS,
  ),
})
