/** What a SKILL.md holds: reads any text and reports what is wrong with it (reference skills-curator 2). */
import type { FrontMatter } from './front-matter/front-matter-plain.ts'
import type { SkillText } from './front-matter/front-matter-split.ts'
import type { SkillDiagnostic } from './skill-document-diagnostic.ts'
import { isLongerThan, judgeFields, MAX_SKILL_DESCRIPTION_CHARS } from './skill-document-fields.ts'
import { MAX_SKILL_NAME_CHARS } from './skill-name.ts'

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
