/**
 * Removes from the library what a backup does not have, without deleting: skills go to the archive, skills that the archive holds already
 * and other documents to `curator/backups/.replaced/<id of the safety snapshot>/`. What is already gone is skipped.
 */

import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { ARCHIVE_FOLDER, type ArchivedSkill, archiveNames, manifestPath } from '../../skills/archive.ts'
import type { SkillArchiver } from '../../skills/archive-skill.ts'
import { SKILL_FILE, SKILLS_FOLDER } from '../../skills/skill-discovery.ts'
import type { SkillListEntry } from '../../skills/skill-index.ts'
import type { SkillStore } from '../../skills/skill-store.ts'
import { moveDocuments } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import type { Leaving } from './rollback-plan.ts'
import { replacedPath } from './rollback-put.ts'
import type { HasTwin } from './rollback-twin.ts'

const MAX_NAMES_TRIED = 100

/** A move of a folder or a document. */
export interface Moved {
  /** Original path of the folder or the document. */
  readonly from: string
  readonly to: string
}

/** Moves to the first free name; `undefined` if there is nothing to move. */
const moveTo = async (storage: StorageBackend, from: string, toName: (serial: number) => string): Promise<Result<Moved | undefined>> => {
  for (let serial = 1; serial <= MAX_NAMES_TRIED; serial++) {
    const to = toName(serial)
    const moved = await moveDocuments(storage, from, to)
    if (moved.ok) return ok({ from, to })
    if (moved.error.code === 'not_found') return ok(undefined)
    if (moved.error.code !== 'occupied') return moved
  }
  return err(
    new HermesError('occupied', `No free name to move '${from}' to, such as '${toName(1)}'. Remove what is there.`, {
      details: { path: from },
    }),
  )
}

const moveAside = (storage: StorageBackend, path: string, folder: string): Promise<Result<Moved | undefined>> =>
  moveTo(storage, path, (serial) => replacedPath(path, folder, serial))

/** Shared by all removals of one rollback. */
export interface LeavingOptions {
  readonly store: SkillStore
  /** Based on one listing of the library, so that the cost of each removal does not grow with their number. */
  readonly archive: SkillArchiver
  /** Lists the library again. */
  readonly reopen: () => Promise<Result<SkillArchiver>>
  /** The skills of that listing, by path relative to the skills folder. */
  readonly listed: ReadonlyMap<string, SkillListEntry>
  /** Whether the archive holds the same skill already. */
  readonly hasTwin: HasTwin
  /** Reason to store in the archive. */
  readonly reason: string
  /** Time of the rollback, epoch milliseconds. */
  readonly startedAt: number
  /** For what is set aside: see `replacedName`. */
  readonly folder: string
}

/** If the listing has skills nested in this one, tries again with a new listing, since they may have been moved. */
const archiveSkill = async (
  path: string,
  { store, archive, reopen, listed, reason, startedAt }: LeavingOptions,
): Promise<Result<ArchivedSkill>> => {
  const options = { reason, at: startedAt }
  const known = listed.get(path)
  if (!known) return store.archive(`${path}/${SKILL_FILE}`, options)
  const archiveKnown = async (archiver: SkillArchiver): Promise<Result<ArchivedSkill>> => {
    const [archived] = await archiver([{ skill: known, ...options }])
    return archived ?? err(new HermesError('not_found', `The skill '${path}' is gone.`))
  }
  const archived = await archiveKnown(archive)
  if (archived.ok || archived.error.code !== 'invalid') return archived
  const again = await reopen()
  return again.ok ? archiveKnown(again.value) : again
}

/** `undefined` if it was already gone. */
export const leaveLibrary = async (
  storage: StorageBackend,
  { kind, path, skill }: Leaving,
  options: LeavingOptions,
): Promise<Result<Moved | undefined>> => {
  const { startedAt, folder } = options
  if (kind === 'document' || !skill) return moveAside(storage, path, folder)
  if (kind === 'skill') {
    if (await options.hasTwin(skill.path)) return moveAside(storage, path, folder)
    const archived = await archiveSkill(skill.path, options)
    if (archived.ok) return ok({ from: path, to: `${ARCHIVE_FOLDER}/${archived.value.path}` })
    // A skill that the store cannot read is moved as a folder; the archive still lists it.
  }
  // Always with the time: the second name that the archive would choose.
  const [, stamped = skill.folderName] = archiveNames(skill.folderName, startedAt)
  const entry = `${ARCHIVE_FOLDER}/${stamped}`
  if (kind === 'skill') return moveTo(storage, path, (serial) => (serial === 1 ? entry : `${entry}-${serial}`))
  const inside = path.slice(`${SKILLS_FOLDER}/${skill.path}/`.length)
  return moveTo(storage, path, (serial) => (serial === 1 ? `${entry}/${inside}` : `${entry}-${serial}/${inside}`))
}

/**
 * Removes an archive entry whose skill is back in its place, to avoid two skills of one name. Its manifest is removed too, unless the
 * rollback has restored one at that path (`isRestored`).
 */
export const leaveArchive = async (
  storage: StorageBackend,
  entry: string,
  folder: string,
  isRestored: (path: string) => boolean,
): Promise<Result<Moved | undefined>> => {
  const moved = await moveAside(storage, `${ARCHIVE_FOLDER}/${entry}`, folder)
  const manifest = manifestPath(entry)
  if (!moved.ok || isRestored(manifest)) return moved
  const followed = await moveAside(storage, manifest, folder)
  return followed.ok ? moved : followed
}
