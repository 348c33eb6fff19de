/** Archives a skill: the whole folder, its manifest, its usage record and the lines of the writer's log in one update, so that it is either live or archived (DESIGN 3). */
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
import type { SkillListEntry, SkillSurvey } from './skill-index.ts'
import { lookUpSkill } from './skill-lookup.ts'
import type { SkillAuthor } from './skill-op.ts'

/** Maximum number of names to try. */
const MAX_NAMES = 1_000

/** A skill as listed, and why it is archived. */
interface SkillToArchive {
  readonly skill: Pick<SkillListEntry, 'name' | 'description' | 'path' | 'folderName' | 'category'>
  readonly reason: string
  readonly at: number
  /** Of its SKILL.md as it was read: another one is not archived. */
  readonly stamp: string | undefined
  /** The skill that holds the content from now on, which is another one and live. */
  readonly successor: { readonly name: string; readonly path: string } | undefined
  /** Another live skill has its name. */
  readonly isNameLive: boolean
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
  /** Undefined if `orphans` must be named first; nothing is written then. */
  readonly archived?: ArchivedSkill
  readonly orphans: readonly string[]
}

/**
 * The move of a skill to the archive. Also removes manifests whose entry is gone, except those that cannot be read: nobody knows what they are for, so
 * their names are taken. Pure.
 */
const planArchive = (
  cut: Cut,
  { skill, reason, at, stamp, successor, isNameLive }: SkillToArchive,
  named: readonly string[],
): SkillUpdate<Archiving> => {
  const documents = cut.list(SKILLS_FOLDER)
  const view = viewArchive(documents)
  const found = orphansIn(documents, view.isTaken)
  const orphans = [...found.keys()]
  if (orphans.some((path) => !named.includes(path))) return { value: { orphans } }
  const put: Record<string, Uint8Array | null> = {}
  for (const [path, entry] of found) {
    if (readableJsonIn(cut, path, manifestSchema) === undefined) view.take(entry)
    else put[path] = null
  }
  const present = new Map(documents.map((info) => [info.path, info.stamp]))
  const { name, description, path, folderName, category } = skill
  const stampNow = present.get(toDocumentPath(skill))
  if (stampNow === undefined) throw goneFrom(path)
  if (stamp !== undefined && stamp !== stampNow) throw changedMeanwhile(toDocumentPath(skill))
  if (successor && !present.has(toDocumentPath(successor))) throw goneFrom(successor.path)
  const nested = view.refuseNested(path)
  if (nested) throw nested
  const entry = firstFree(folderName, at, view.isTaken)
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
  const archived = toArchived(entry, manifest)
  return {
    put,
    move: [[`${SKILLS_FOLDER}/${path}`, `${ARCHIVE_FOLDER}/${entry}`]],
    value: { archived, orphans },
    written: { kind: 'archived', archived, isNameLive },
  }
}

const firstFree = (folderName: string, at: number, isTaken: (entry: string) => boolean): string => {
  let tries = 0
  for (const entry of archiveNames(folderName, at)) {
    if (!isTaken(entry)) return entry
    if (++tries >= MAX_NAMES) break
  }
  const message = `The archive has no free name for '${folderName}'. Move old entries out of '${ARCHIVE_FOLDER}'.`
  throw new HermesError('occupied', message, { details: { path: ARCHIVE_FOLDER } })
}

/** `named`: manifests to look at. */
const archive = async (
  library: SkillLibrary,
  skill: SkillToArchive,
  author: SkillAuthor | undefined,
  named: readonly string[] = [],
): Promise<Result<ArchivedSkill>> => {
  const done = await updateSkills(library, [`${SKILLS_FOLDER}/`, ...named], (cut) => planArchive(cut, skill, named), author)
  if (!done.ok) return done
  const { archived, orphans } = done.value
  return archived ? ok(archived) : archive(library, skill, author, orphans)
}

/** Another live skill has that name. One that cannot be read counts by its folder: an unchanged record can be corrected later, a wrong mark misleads until then. */
const isNameLive = ({ skills }: SkillSurvey, path: string, name: string): boolean =>
  skills.some(({ folder, glance }) => folder.path !== path && (glance.ok ? glance.value.name : folder.folderName) === name)

/** `not_found`, `ambiguous`, `invalid`, `drift` if its SKILL.md changes meanwhile. Does not change any other skill or archive entry. */
export const archiveSkill = async (
  library: SkillLibrary,
  target: string,
  { reason, absorbedInto, at, author }: ArchiveOptions & { readonly at: number },
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
  const surveyed = await index.survey()
  if (!surveyed.ok) return surveyed
  const isLive = isNameLive(surveyed.value, skill.path, described.name)
  return archive(library, { skill: described, reason, at, stamp, successor: heir, isNameLive: isLive }, author)
}
