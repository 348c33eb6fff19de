/** Reads the SKILL.md of skill folders; one that cannot be read is told and hides no other. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { type SkillFolder, toDocumentPath } from './skill-discovery.ts'
import { parseSkillDocument, type SkillDocument } from './skill-document.ts'
import { decodeSkillText } from './skill-text.ts'

/** Enough to keep a disk or a connection busy, few enough for the open files of a process. */
const READS_AT_ONCE = 16

export interface ReadSkill extends SkillFolder {
  readonly bytes: Uint8Array
  /** The whole SKILL.md. */
  readonly text: string
  /** Of the SKILL.md; opaque. */
  readonly version: string
  readonly document: SkillDocument
}

export interface SkillReading {
  readonly folder: SkillFolder
  readonly skill: Result<ReadSkill>
}

const unreadable = (path: string, why: string, cause?: unknown): HermesError =>
  new HermesError('unreadable', `'${path}' ${why}`, { cause, details: { path } })

/** `undefined` where there is no SKILL.md any more; `unreadable` where it cannot be had as text. */
export const readSkill = async (storage: StorageBackend, folder: SkillFolder): Promise<Result<ReadSkill> | undefined> => {
  const path = toDocumentPath(folder)
  const read = await storage.read(path)
  if (!read.ok) {
    if (read.error.code === 'closed') return read
    return err(unreadable(path, `cannot be read (${read.error.message}). Make it readable, then retry.`, read.error))
  }
  if (!read.value) return undefined
  const { bytes, version } = read.value
  const text = decodeSkillText(bytes)
  if (text === undefined) return err(unreadable(path, 'is not valid UTF-8. Save it as UTF-8, then retry; it was left as it is.'))
  return ok({ ...folder, bytes, text, version, document: parseSkillDocument(text, folder) })
}

/** In the given order, without those that are gone by now. */
export const readSkills = async (storage: StorageBackend, folders: readonly SkillFolder[]): Promise<readonly SkillReading[]> => {
  const readings: SkillReading[] = []
  for (let start = 0; start < folders.length; start += READS_AT_ONCE) {
    const batch = folders.slice(start, start + READS_AT_ONCE)
    const read = await Promise.all(batch.map(async (folder) => ({ folder, skill: await readSkill(storage, folder) })))
    for (const { folder, skill } of read) if (skill) readings.push({ folder, skill })
  }
  return readings
}

/** What a skill answers to as a plain name: its front matter's name and its folder's. */
export const namesOf = ({ folder, skill }: SkillReading): ReadonlySet<string> =>
  new Set(skill.ok ? [skill.value.document.name, folder.folderName] : [folder.folderName])
