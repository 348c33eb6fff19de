/** Archives skills: the whole folder, its manifest and the lines of the writer's log in one update, so that a skill is either live or archived (DESIGN 3). */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { jsonBytes, readableJsonIn } from '../storage/json-document.ts'
import type { Cut, DocumentInfo } from '../storage/storage-backend.ts'
import {
  ARCHIVE_FOLDER,
  type ArchivedSkill,
  type ArchiveManifest,
  type ArchiveOptions,
  archiveNames,
  concernsOneSkill,
  entryOfManifest,
  manifestPath,
  manifestSchema,
  toArchived,
  viewArchive,
} from './archive.ts'
import { type SkillLibrary, type SkillUpdate, updateSkills } from './change-skill.ts'
import { changedMeanwhile } from './plan-skill.ts'
import { SKILLS_FOLDER, toDocumentPath } from './skill-discovery.ts'
import { toSkillListing } from './skill-document.ts'
import type { SkillListEntry } from './skill-index.ts'
import { lookUpSkill } from './skill-lookup.ts'

/** Maximum number of names to try. */
const MAX_NAMES = 1_000

/** A skill as listed, and why it is archived. */
interface SkillToArchive {
  readonly skill: Pick<SkillListEntry, 'name' | 'description' | 'path' | 'folderName' | 'category'>
  readonly reason: string
  readonly at: number
  /** Of its SKILL.md as it was read: another one is not archived. */
  readonly stamp?: string | undefined
  /** The skill that holds the content from now on, which is another one and live. */
  readonly successor?: { readonly name: string; readonly path: string } | undefined
}

export interface ArchiverOptions {
  /** Names of archive entries that are about to be restored: they are not given to a skill, and their manifests stay. */
  readonly reserved?: readonly string[]
}

const goneFrom = (path: string): HermesError =>
  new HermesError('not_found', `The skill '${path}' is gone: it was moved or removed in the meantime. List the skills again.`, {
    details: { path },
  })

/** Manifests that no entry has any more. */
const orphansIn = (documents: readonly DocumentInfo[], isTaken: (entry: string) => boolean): ReadonlyMap<string, string> =>
  new Map(
    documents.flatMap(({ path }) => {
      const entry = entryOfManifest(path)
      return entry === undefined || isTaken(entry) ? [] : [[path, entry] as const]
    }),
  )

interface Archiving {
  /** For each skill, in order. Undefined if `orphans` must be named first; nothing is written then. */
  readonly archived?: readonly Result<ArchivedSkill>[]
  readonly orphans: readonly string[]
}

/**
 * The moves of the skills that can be archived. Also removes manifests whose entry is gone, except those that cannot be read: nobody knows what they are for, so
 * their names are taken. Pure.
 */
const planArchive = (
  cut: Cut,
  skills: readonly SkillToArchive[],
  reserved: readonly string[],
  named: readonly string[],
): SkillUpdate<Archiving> => {
  const documents = cut.list(SKILLS_FOLDER)
  const view = viewArchive(documents)
  for (const entry of reserved) view.take(entry)
  const orphans = orphansIn(documents, view.isTaken)
  const value = { orphans: [...orphans.keys()] }
  if (value.orphans.some((path) => !named.includes(path))) return { value, written: [] }
  const put: Record<string, Uint8Array | null> = {}
  for (const [path, entry] of orphans) {
    if (readableJsonIn(cut, path, manifestSchema) === undefined) view.take(entry)
    else put[path] = null
  }
  const present = new Map(documents.map(({ path, stamp }) => [path, stamp]))
  const move: (readonly [string, string])[] = []
  const archive = ({ skill, reason, at, stamp, successor }: SkillToArchive): Result<ArchivedSkill> => {
    const { name, description, path, folderName, category } = skill
    const stampNow = present.get(toDocumentPath(skill))
    if (!present.delete(toDocumentPath(skill))) return err(goneFrom(path))
    if (stamp !== undefined && stamp !== stampNow) return err(changedMeanwhile(toDocumentPath(skill)))
    if (successor && !present.has(toDocumentPath(successor))) return err(goneFrom(successor.path))
    const nested = view.refuseNested(path)
    if (nested) return err(nested)
    const entry = firstFree(folderName, at, view.isTaken)
    if (entry === undefined) {
      const message = `The archive has no free name for '${folderName}'. Move old entries out of '${ARCHIVE_FOLDER}'.`
      return err(new HermesError('occupied', message, { details: { path: ARCHIVE_FOLDER } }))
    }
    view.take(entry)
    const manifest: ArchiveManifest = {
      version: 1,
      name,
      from: path,
      category: category ?? null,
      description,
      reason: reason.trim(),
      archivedAt: at,
      absorbedInto: successor?.name ?? null,
    }
    put[manifestPath(entry)] = jsonBytes(manifestPath(entry), manifest, manifestSchema)
    move.push([`${SKILLS_FOLDER}/${path}`, `${ARCHIVE_FOLDER}/${entry}`])
    return ok(toArchived(entry, manifest))
  }
  const archived = skills.map(archive)
  const written = archived.flatMap((each) => (each.ok ? [{ kind: 'archived', archived: each.value } as const] : []))
  return { put, move, value: { ...value, archived }, written }
}

const firstFree = (folderName: string, at: number, isTaken: (entry: string) => boolean): string | undefined => {
  let tries = 0
  for (const entry of archiveNames(folderName, at)) {
    if (!isTaken(entry)) return entry
    if (++tries >= MAX_NAMES) break
  }
  return undefined
}

/** Takes skills as listed, each with the reason and the time; returns a result for each, in that order. */
export type SkillArchiver = (
  // Written out, so that an app can name the answer of `SkillStore.archiver`.
  skills: readonly {
    readonly skill: Pick<SkillListEntry, 'name' | 'description' | 'path' | 'folderName' | 'category'>
    readonly reason: string
    readonly at: number
  }[],
) => Promise<readonly Result<ArchivedSkill>[]>

/** All in one update. `named`: manifests to look at. */
const archiveTogether = async (
  library: SkillLibrary,
  skills: readonly SkillToArchive[],
  reserved: readonly string[],
  named: readonly string[] = [],
): Promise<Result<readonly Result<ArchivedSkill>[]>> => {
  const done = await updateSkills(library, [`${SKILLS_FOLDER}/`, ...named], (cut) => planArchive(cut, skills, reserved, named))
  if (!done.ok) return done
  const { archived, orphans } = done.value
  return archived ? ok(archived) : archiveTogether(library, skills, reserved, orphans)
}

/**
 * Archives skills as listed, in one update; results in their order: `not_found` if one is gone since, `invalid` if it holds other skills. Where one of them
 * cannot be moved, each is archived by itself.
 */
export const archiveListed = async (
  library: SkillLibrary,
  skills: readonly SkillToArchive[],
  { reserved = [] }: ArchiverOptions = {},
): Promise<readonly Result<ArchivedSkill>[]> => {
  const archived = await archiveTogether(library, skills, reserved)
  if (archived.ok) return archived.value
  if (skills.length < 2 || !concernsOneSkill(archived.error)) return skills.map(() => archived)
  const results: Result<ArchivedSkill>[] = []
  for (const skill of skills) results.push(...(await archiveListed(library, [skill], { reserved })))
  return results
}

/** `not_found`, `ambiguous`, `invalid`, `drift` if its SKILL.md changes meanwhile. Does not change any other skill or archive entry. */
export const archiveSkill = async (
  library: SkillLibrary,
  target: string,
  { reason, absorbedInto, at }: ArchiveOptions & { readonly at: number },
): Promise<Result<ArchivedSkill>> => {
  if (typeof reason !== 'string' || reason.trim() === '')
    return err(new HermesError('empty', 'Archiving needs a reason: a text that says why the skill is archived.'))
  const { storage, index } = library
  const found = await lookUpSkill(storage, index, target)
  if (!found.ok) return found
  const successor = absorbedInto === undefined ? undefined : await lookUpSkill(storage, index, absorbedInto)
  if (successor && !successor.ok) return successor
  const { skill } = found.value
  if (successor?.value.skill.path === skill.path) {
    const message = `'${absorbedInto}' is the skill to archive itself. Name the skill that contains its content now, or none.`
    return err(new HermesError('invalid', message))
  }
  const heir = successor && { name: successor.value.skill.document.name, path: successor.value.skill.path }
  const described = { ...skill, name: skill.document.name, description: toSkillListing(skill.document).description }
  const stamp = found.value.documents.find(({ path }) => path === toDocumentPath(skill))?.stamp
  const [archived] = await archiveListed(library, [{ skill: described, reason, at, stamp, successor: heir }])
  return archived ?? err(goneFrom(skill.path))
}
