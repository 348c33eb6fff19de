/** Finds live skills that the archive holds already, so that going there and back does not archive a skill twice. */

import { ok, type Result } from '../../shared/result.ts'
import { ARCHIVE_FOLDER } from '../../skills/archive.ts'
import { SKILLS_FOLDER } from '../../skills/skill-discovery.ts'
import type { SkillStore } from '../../skills/skill-store.ts'
import { equalContent } from '../../storage/equal-content.ts'
import { readDocument } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { inBatches } from '../backup/backup-batches.ts'

/** True if both folders hold the same documents, byte for byte. */
const isSameFolder = async (storage: StorageBackend, one: string, other: string): Promise<Result<boolean>> => {
  const [mine, theirs] = await Promise.all([storage.list(one), storage.list(other)])
  if (!mine.ok) return mine
  if (!theirs.ok) return theirs
  const sizes = new Map(theirs.value.map(({ path, size }) => [path.slice(other.length), size]))
  if (mine.value.length !== sizes.size || mine.value.some(({ path, size }) => sizes.get(path.slice(one.length)) !== size)) return ok(false)
  const compared = await inBatches(mine.value, async ({ path }) => {
    const [here, there] = await Promise.all([readDocument(storage, path), readDocument(storage, `${other}${path.slice(one.length)}`)])
    if (!here.ok) return here
    return there.ok ? ok(here.value !== undefined && equalContent(here.value, there.value)) : there
  })
  return compared.ok ? ok(compared.value.every(Boolean)) : compared
}

/** Takes a path relative to the skills folder. */
export type HasTwin = (path: string) => Promise<boolean>

/**
 * A twin was archived from the same place and is equal in all its files; so is its name. `leavingEntries`: entries that leave the archive
 * in the same rollback. What cannot be read has no twin.
 */
export const findTwins = async (storage: StorageBackend, store: SkillStore, leavingEntries: readonly string[]): Promise<HasTwin> => {
  const archived = await store.listArchived()
  const entries = new Map<string, string[]>()
  for (const { from, path } of archived.ok ? archived.value.entries : []) {
    if (from !== undefined && !leavingEntries.includes(path)) entries.set(from, [...(entries.get(from) ?? []), path])
  }
  return async (path) => {
    for (const entry of entries.get(path) ?? []) {
      const same = await isSameFolder(storage, `${SKILLS_FOLDER}/${path}`, `${ARCHIVE_FOLDER}/${entry}`)
      if (same.ok && same.value) return true
    }
    return false
  }
}
