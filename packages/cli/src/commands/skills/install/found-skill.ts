/** Finds the skills of a source, and checks each before anything is written. */
import { err, HermesError, inMemoryBackend, ok, type Result } from '@hermes/core'
import { scanThreats } from '@hermes/core/memory'
import { SkillStore } from '@hermes/core/skills'
import { checkStoragePath, updateDocument } from '@hermes/core/storage'
import type { SourceFile } from './source-files.ts'

const SKILL_FILE = 'SKILL.md'

export interface FoundSkill {
  /** The folder in the source; `''` for the source itself. */
  readonly folder: string
  /** Paths relative to the folder of the skill. */
  readonly files: readonly SourceFile[]
}

export interface CheckedSkill {
  readonly name: string
  readonly description: string
  /** The SKILL.md. */
  readonly text: string
  /** All other files. */
  readonly files: readonly (SourceFile & { readonly bytes: Uint8Array })[]
}

/** A skill inside another belongs to itself alone. Hidden files are left out. */
export const findSkills = (files: readonly SourceFile[]): readonly FoundSkill[] => {
  const folders = files.flatMap(({ path }) =>
    path === SKILL_FILE ? [''] : path.endsWith(`/${SKILL_FILE}`) ? [path.slice(0, -SKILL_FILE.length - 1)] : [],
  )
  const isBelow = (path: string, folder: string): boolean => folder === '' || path.startsWith(`${folder}/`)
  const ownerOf = (path: string): string | undefined =>
    folders.filter((folder) => isBelow(path, folder)).toSorted((a, b) => b.length - a.length)[0]
  return folders.toSorted().map((folder) => ({
    folder,
    files: files
      .filter(({ path }) => ownerOf(path) === folder)
      .map((file) => ({ ...file, path: folder === '' ? file.path : file.path.slice(folder.length + 1) }))
      .filter(({ path }) => !path.split('/').some((part) => part.startsWith('.'))),
  }))
}

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The scan reads 65,536 characters; the overlap keeps a phrase in one part. */
const PART_CHARS = 60_000
const OVERLAP_CHARS = 4_000

const threatsIn = (text: string): readonly string[] => {
  const found = new Set<string>()
  for (let at = 0; at === 0 || at < text.length; at += PART_CHARS) {
    for (const id of scanThreats(text.slice(at, at + PART_CHARS + OVERLAP_CHARS), 'context')) found.add(id)
  }
  return [...found]
}

const SUPPORT = /^(?:references|templates|scripts|assets)\//

/** Writes the skill to a store in memory, which checks names, sizes, front matter and credentials as for any other skill. */
const rehearse = async (name: string, text: string, files: CheckedSkill['files']): Promise<Result<unknown>> => {
  const store = new SkillStore({ storage: inMemoryBackend() })
  const created = await store.create({ name, content: text })
  if (!created.ok) return created
  for (const { path, bytes } of files) {
    const written = await store.writeFile(name, SUPPORT.test(path) ? path : `references/${path.replaceAll('/', '-')}`, bytes)
    if (!written.ok) return err(new HermesError(written.error.code, `'${path}' cannot be installed: ${written.error.message}`))
  }
  return ok(undefined)
}

const nameOf = async (text: string): Promise<Result<{ readonly name: string; readonly description: string }>> => {
  const storage = inMemoryBackend()
  await updateDocument(storage, 'skills/skill/SKILL.md', () => new TextEncoder().encode(text))
  const viewed = await new SkillStore({ storage }).view('skill/SKILL.md')
  return viewed.ok ? ok(viewed.value.document) : viewed
}

const refused = (path: string, why: string): Result<never> =>
  err(new HermesError('blocked', `'${path}' is refused: ${why}. Nothing was installed.`, { details: { path } }))

/** `blocked` for links, paths and texts that are not installed; else the errors of a new skill. */
export const checkSkill = async ({ folder, files }: FoundSkill): Promise<Result<CheckedSkill>> => {
  const shown = (path: string): string => (folder === '' ? path : `${folder}/${path}`)
  const others: (SourceFile & { readonly bytes: Uint8Array })[] = []
  let text: string | undefined
  for (const file of files) {
    const { path, bytes, fault } = file
    if (!bytes) return refused(shown(path), fault ?? 'it cannot be read')
    if (!checkStoragePath(`skills/skill/${path}`).ok) return refused(shown(path), 'its name is not a valid path')
    const content = decode(bytes)
    const threats = threatsIn(`${path}\n${content ?? ''}`)
    if (threats.length > 0) return refused(shown(path), `the threat scan found ${threats.join(', ')}`)
    if (path === SKILL_FILE) text = content
    else others.push({ ...file, bytes })
  }
  if (text === undefined) return refused(shown(SKILL_FILE), 'it is not UTF-8 text')
  const named = await nameOf(text)
  if (!named.ok) return named
  const { name, description } = named.value
  const rehearsed = await rehearse(name, text, others)
  return rehearsed.ok ? ok({ name, description, text, files: others }) : rehearsed
}
