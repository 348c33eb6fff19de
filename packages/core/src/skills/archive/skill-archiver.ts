/** Archives many skills with one listing of the library, so that the cost is linear. */
import { ok, type Result } from '../../shared/result.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import type { SkillIndex, SkillListEntry } from '../skill-index.ts'
import { archiveFolders, sweepManifests } from './archive-skill.ts'
import { viewArchive } from './archive-view.ts'
import type { ArchivedSkill } from './archived-skill.ts'

/**
 * Takes skills as listed, each with the reason and the time; returns a result for each, in that order: `not_found` if it is gone since
 * the listing, `invalid` if it holds other skills.
 */
export type SkillArchiver = (
  // Written out, so that an app can name the answer of `SkillStore.archiver`.
  skills: readonly {
    readonly skill: Pick<SkillListEntry, 'name' | 'description' | 'path' | 'folderName' | 'category'>
    readonly reason: string
    readonly at: number
  }[],
) => Promise<readonly Result<ArchivedSkill>[]>

export interface ArchiverOptions {
  /** Names of archive entries that are about to be restored: they are not given to a skill, and their manifests stay. */
  readonly reserved?: readonly string[]
}

export const openArchiver = async (
  storage: StorageBackend,
  index: SkillIndex,
  now: number,
  { reserved = [] }: ArchiverOptions = {},
): Promise<Result<SkillArchiver>> => {
  const surveyed = await index.survey()
  if (!surveyed.ok) return surveyed
  const view = viewArchive(surveyed.value.documents)
  for (const entry of reserved) view.take(entry)
  await sweepManifests(storage, surveyed.value.documents, view, now)
  return ok((skills) =>
    archiveFolders(
      storage,
      view,
      skills.map((toArchive) => ({ ...toArchive, absorbedInto: null })),
    ),
  )
}
