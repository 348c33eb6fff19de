/** The new paths of a merged skill's files in its umbrella, and the links to them. Pure. */
import { SUPPORT_FOLDERS } from '../../skills/skill-discovery.ts'

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
