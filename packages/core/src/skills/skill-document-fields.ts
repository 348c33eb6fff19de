/** Checks the fields of front matter by both rule sets (reference skills-curator 2). */
import type { FrontMatter } from './front-matter/front-matter-plain.ts'
import type { SkillDiagnostic } from './skill-document-diagnostic.ts'
import { checkSkillName } from './skill-name.ts'

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

export const judgeFields = ({ data, texts }: FrontMatter, folderName: string): readonly SkillDiagnostic[] => [
  ...judgeName(texts.get('name'), folderName),
  ...judgeDescription(data['description']),
  ...judgeCompatibility(data['compatibility']),
  ...judgeShapes(data),
  ...judgeKeys(data),
]
