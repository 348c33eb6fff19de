/**
 * Takes out of the library what a backup does not have, and deletes none of it: skills go to the archive, other documents to
 * `curator/backups/.replaced/<time of the rollback>/`. What is gone already needs no going.
 */
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { ARCHIVE_FOLDER, manifestPath } from '../../skills/archive/archive-manifest.ts'
import { archiveNames } from '../../skills/archive/archive-names.ts'
import type { ArchivedSkill } from '../../skills/archive/archived-skill.ts'
import type { SkillArchiver } from '../../skills/archive/skill-archiver.ts'
import { SKILL_FILE, SKILLS_FOLDER } from '../../skills/skill-discovery.ts'
import type { SkillListEntry } from '../../skills/skill-listing.ts'
import type { SkillStore } from '../../skills/skill-store.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import type { Leaving } from './rollback-plan.ts'
import { replacedPath } from './rollback-put.ts'

const MAX_NAMES_TRIED = 100

/** A folder or a document, before and after. */
export interface Moved {
  /** Document path of a folder or a document, as it was. */
  readonly from: string
  readonly to: string
}

/** To the first of the names that is free; `undefined` where there is nothing to move. */
const moveTo = async (storage: StorageBackend, from: string, toName: (serial: number) => string): Promise<Result<Moved | undefined>> => {
  for (let serial = 1; serial <= MAX_NAMES_TRIED; serial++) {
    const to = toName(serial)
    const moved = await storage.move(from, to)
    if (moved.ok) return ok({ from, to })
    if (moved.error.code === 'not_found') return ok(undefined)
    if (moved.error.code !== 'occupied') return moved
  }
  return err(
    new HermesError('occupied', `No free name to move '${from}' to, such as '${toName(1)}'. Clear what lies there.`, {
      details: { path: from },
    }),
  )
}

const moveAside = (storage: StorageBackend, path: string, startedAt: number): Promise<Result<Moved | undefined>> =>
  moveTo(storage, path, (serial) => replacedPath(path, startedAt, serial))

/** What is the same for everything that one rollback takes out. */
export interface LeavingOptions {
  readonly store: SkillStore
  /** On one look at the library for all that leaves, so that each costs the same however many they are. */
  readonly archive: SkillArchiver
  /** Of that look, by their paths below the folder of skills. */
  readonly listed: ReadonlyMap<string, SkillListEntry>
  /** Why, for the archive. */
  readonly reason: string
  /** Of the rollback, epoch milliseconds. */
  readonly startedAt: number
}

/** A skill that held others when it was looked at may hold none by now. */
const archiveSkill = async (
  path: string,
  { store, archive, listed, reason, startedAt }: LeavingOptions,
): Promise<Result<ArchivedSkill>> => {
  const known = listed.get(path)
  const archived = known && (await archive(known, { reason, at: startedAt }))
  return archived && (archived.ok || archived.error.code !== 'invalid')
    ? archived
    : store.archive(`${path}/${SKILL_FILE}`, { reason, at: startedAt })
}

/** `undefined` where it was gone already. */
export const leaveLibrary = async (
  storage: StorageBackend,
  { kind, path, skill }: Leaving,
  options: LeavingOptions,
): Promise<Result<Moved | undefined>> => {
  const { startedAt } = options
  if (kind === 'document' || !skill) return moveAside(storage, path, startedAt)
  if (kind === 'skill') {
    const archived = await archiveSkill(skill.path, options)
    if (archived.ok) return ok({ from: path, to: `${ARCHIVE_FOLDER}/${archived.value.path}` })
    // One that the store cannot read goes as it is: the archive lists it all the same.
  }
  // Always with the time: the second name that the archive would give.
  const [, stamped = skill.folderName] = archiveNames(skill.folderName, startedAt)
  const entry = `${ARCHIVE_FOLDER}/${stamped}`
  if (kind === 'skill') return moveTo(storage, path, (serial) => (serial === 1 ? entry : `${entry}-${serial}`))
  const inside = path.slice(`${SKILLS_FOLDER}/${skill.path}/`.length)
  return moveTo(storage, path, (serial) => (serial === 1 ? `${entry}/${inside}` : `${entry}-${serial}/${inside}`))
}

/**
 * An entry whose skill is back in its place: two of one name would only be mistaken for each other. Its manifest goes with it, unless the
 * backup has one there (`isOfThen`).
 */
export const leaveArchive = async (
  storage: StorageBackend,
  entry: string,
  startedAt: number,
  isOfThen: (path: string) => boolean,
): Promise<Result<Moved | undefined>> => {
  const moved = await moveAside(storage, `${ARCHIVE_FOLDER}/${entry}`, startedAt)
  const manifest = manifestPath(entry)
  if (!moved.ok || isOfThen(manifest)) return moved
  const followed = await moveAside(storage, manifest, startedAt)
  return followed.ok ? moved : followed
}
