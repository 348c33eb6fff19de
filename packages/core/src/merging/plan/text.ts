/** The text of an umbrella: body, front matter, and pointers to the files beside it. Pure. */
import { editFrontMatter } from '../../skills/edit-front-matter.ts'
import { splitSkillText } from '../../skills/front-matter.ts'
import { parseSkillDocument } from '../../skills/parse-skill-document.ts'
import { contentWords } from '../../text/content-words.ts'

export interface Pointer {
  readonly paths: readonly string[]
  /** What the files are about. */
  readonly about: string
}

const POINTERS_HEADING = '## Kept from merged skills'

const MAX_ABOUT = 200
const MAX_PATHS = 20

/** One line of prose: a description must not open a section. */
const plain = (text: string): string => {
  const line = text
    .replace(/\s+/g, ' ')
    .replace(/^[#>*`\-\s]+/, '')
    .trim()
  return line.length > MAX_ABOUT ? `${line.slice(0, MAX_ABOUT).replace(/[\ud800-\udbff]$/, '')}…` : line
}

const lineOf = ({ paths, about }: Pointer): string => {
  const more = paths.length > MAX_PATHS ? ` and ${paths.length - MAX_PATHS} more beside them` : ''
  return `- ${paths
    .slice(0, MAX_PATHS)
    .map((each) => `\`${each}\``)
    .join(', ')}${more}: ${plain(about)}`
}

/** Adds them at the end of their section, which is created if missing. */
export const addPointers = (text: string, pointers: readonly Pointer[]): string => {
  if (pointers.length === 0) return text
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const added = pointers.map(lineOf)
  const lines = text.trimEnd().split(/\r?\n/)
  const heading = lines.findLastIndex((line) => line.trim() === POINTERS_HEADING)
  if (heading < 0) return `${[...lines, '', POINTERS_HEADING, '', ...added].join(end)}${end}`
  const next = lines.findIndex((line, at) => at > heading && /^#{1,2}\s/.test(line))
  const until = next < 0 ? lines.length : next
  const section = lines.slice(0, until)
  while (section.at(-1)?.trim() === '') section.pop()
  return `${[...section, ...added, ...(next < 0 ? [] : ['', ...lines.slice(next)])].join(end)}${end}`
}

/** The new text with the existing front matter; only the description is replaced. */
export const keepFrontMatter = (before: string, next: string): string => {
  const after = splitSkillText(next)
  if (after.fault !== undefined) return next
  const { description } = parseSkillDocument(next, { folderName: 'skill' })
  const edited = editFrontMatter(before, 'description', description)
  if (!edited.ok) return next
  const { marks, opening, yaml, closing } = splitSkillText(edited.value)
  return `${marks}${opening}${yaml}${closing}${after.body}`
}

/** Minimum share of the words of each source skill in the umbrella. */
const LEAST_WORDS = 0.4

/** True if an umbrella with these words has too few of the skill's words, description included. */
export const isAboutSomethingElse = (skillText: string, umbrellaWords: ReadonlySet<string>): boolean => {
  const { description } = parseSkillDocument(skillText, { folderName: 'skill' })
  const words = [...contentWords(`${description}\n${splitSkillText(skillText).body}`)]
  return words.filter((word) => umbrellaWords.has(word)).length < LEAST_WORDS * words.length
}
