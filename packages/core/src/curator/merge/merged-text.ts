/** The text of an umbrella: body, front matter, pointers to the files beside it, and the links to the files that moved there. Pure. */
import { editFrontMatter } from '../../skills/edit-front-matter.ts'
import { splitSkillText } from '../../skills/front-matter.ts'
import { parseSkillDocument } from '../../skills/parse-skill-document.ts'
import { SUPPORT_FOLDERS } from '../../skills/skill-discovery.ts'
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

export interface CarriedFile {
  /** Path inside the source skill's folder. */
  readonly from: string
  /** Path inside the umbrella's folder. */
  readonly to: string
}

const MAX_TRIES = 100

const firstFree = (name: string, isTaken: (name: string) => boolean): string => {
  for (let number = 2; number < MAX_TRIES && isTaken(name); number++) {
    const next = `${name.replace(/-\d+$/, '')}-${number}`
    if (!isTaken(next)) return next
  }
  return name
}

/** A folder name for one skill that is unused in every support folder. Compared without case, as on some file systems. */
export const freeFolder = (name: string, taken: readonly string[]): string => {
  const used = new Set(taken.map((path) => path.split('/')[1]?.toLowerCase()))
  return firstFree(name, (candidate) => used.has(candidate.toLowerCase()))
}

/** `references/<name>.md`, with a number after the name if taken. */
export const freeReference = (name: string, isTaken: (path: string) => boolean): string =>
  `references/${firstFree(name, (candidate) => isTaken(`references/${candidate}.md`))}.md`

/** `scripts/run.sh` becomes `scripts/<folder>/run.sh`; a file outside the support folders goes to `assets/<folder>/`. */
export const carryFiles = (paths: readonly string[], folder: string): readonly CarriedFile[] =>
  paths.map((from) => {
    const support = SUPPORT_FOLDERS.find((name) => from.startsWith(`${name}/`))
    return { from, to: support ? `${support}/${folder}/${from.slice(support.length + 1)}` : `assets/${folder}/${from}` }
  })

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Replaces each old path in the text with the new one, unless several skills had that path. */
export const rewriteLinks = (text: string, carried: readonly CarriedFile[]): string => {
  const targets = new Map<string, string | undefined>()
  for (const { from, to } of carried) targets.set(from, targets.has(from) ? undefined : to)
  const known = [...targets].flatMap(([from, to]) => (to === undefined ? [] : [from])).sort((a, b) => b.length - a.length)
  if (known.length === 0) return text
  const paths = new RegExp(
    `(?<![\\p{L}\\p{N}_./-]|\\./)(?:\\./)?(${known.map(escaped).join('|')})(?![\\p{L}\\p{N}_/-]|\\.[\\p{L}\\p{N}])`,
    'gu',
  )
  return text.replace(paths, (_, from: string) => targets.get(from) ?? from)
}
