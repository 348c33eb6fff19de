/** Decides what a rollback has to do, from the paths alone (seed 003). Pure. */
import { ARCHIVE_FOLDER, entryOfManifest, viewArchive } from '../../skills/archive.ts'
import { findSkillFolders, SKILLS_FOLDER, type SkillFolder } from '../../skills/skill-discovery.ts'
import { isBelow } from '../../storage/document-tree.ts'
import type { DocumentInfo } from '../../storage/storage-backend.ts'
import { USAGE_PATH } from '../../usage/usage-sidecar.ts'
import type { OpenBackup } from '../backup/backup-open.ts'
import { isInBackup, isKeptWherePresent, isLeftAlone } from '../backup/backup-scope.ts'

/** Something to remove from the library: a whole skill, a file of a skill whose folder partly remains, or any other document. */
export interface Leaving {
  readonly kind: 'skill' | 'skill-file' | 'document'
  /** The path of the skill's folder, or of the document. */
  readonly path: string
  readonly skill: SkillFolder | undefined
}

/** Documents and folders, by path. */
export interface RollbackPlan {
  /** Documents to write with their content in the backup. */
  readonly puts: readonly string[]
  /** Obstacles at these paths, removed before the writes. */
  readonly leavingFirst: readonly Leaving[]
  readonly leaving: readonly Leaving[]
  /** Archive entries made since the backup. */
  readonly newEntries: readonly string[]
  /** Obstacles that a rollback may not move. */
  readonly obstacles: readonly string[]
}

/** Equal for file systems that ignore case or Unicode normalisation, where one path would overwrite the other. */
const fold = (path: string): string => path.normalize('NFC').toLowerCase()

const foldersAbove = (path: string): readonly string[] => {
  const segments = path.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}

/** Whether a document is at, above or below one of these places; `form` maps equivalent paths to one string. */
const standsInTheWay = (places: readonly string[], form: (path: string) => string): ((path: string) => boolean) => {
  const taken = new Set(places.map(form))
  const above = new Set(places.flatMap((path) => foldersAbove(form(path))))
  return (path) => {
    const own = form(path)
    return taken.has(own) || above.has(own) || foldersAbove(own).some((folder) => taken.has(folder))
  }
}

/** The entry's folder in the archive; `undefined` for a document that is not in such a folder. */
const entryOf = (path: string): string | undefined => {
  if (!isBelow(path, ARCHIVE_FOLDER)) return undefined
  const [first, second] = path.slice(ARCHIVE_FOLDER.length + 1).split('/')
  return first && second !== undefined && !first.startsWith('.') ? first : undefined
}

const documentsAt = (paths: Iterable<string>): readonly DocumentInfo[] => Array.from(paths, (path) => ({ path, size: 0, stamp: '' }))

/** The live skills of a backup. */
export const skillsIn = (paths: Iterable<string>): readonly SkillFolder[] => findSkillFolders(documentsAt(paths))

const storedPaths = ({ contents, backup }: OpenBackup): readonly string[] => [...contents.keys(), ...backup.leftOut.map(({ path }) => path)]

/** Names of the archive's folders and documents in a backup, including those that it had no room for. */
export const archiveNamesIn = (open: OpenBackup): readonly string[] => [
  ...new Set(
    storedPaths(open)
      .filter((path) => isBelow(path, ARCHIVE_FOLDER))
      .map((path) => path.slice(ARCHIVE_FOLDER.length + 1).split('/')[0] ?? ''),
  ),
]

/**
 * Whether a document is a manifest without its archive entry: the process died while it archived, restored or deleted the skill. It
 * describes nothing, and an entry of that name made since is another one.
 */
export const isAbandonedManifestIn = (open: OpenBackup): ((path: string) => boolean) => {
  const archive = viewArchive(documentsAt(storedPaths(open)))
  return (path) => {
    const entry = entryOfManifest(path)
    return entry !== undefined && !archive.isTaken(entry)
  }
}

/** `same`: documents of the backup that the library holds byte for byte. */
export const planRollback = (live: readonly DocumentInfo[], open: OpenBackup, same: ReadonlySet<string>): RollbackPlan => {
  const { contents } = open
  const isAbandonedManifest = isAbandonedManifestIn(open)
  const present = new Set(live.map(({ path }) => path))
  const puts = [...contents.keys()].filter(
    (path) =>
      !same.has(path) &&
      path !== USAGE_PATH &&
      !isLeftAlone(path) &&
      !isAbandonedManifest(path) &&
      !(isKeptWherePresent(path) && present.has(path)),
  )
  const staying = new Set(storedPaths(open))
  const isExtra = (path: string): boolean =>
    isInBackup(path) && !staying.has(path) && path !== USAGE_PATH && !isLeftAlone(path) && !isKeptWherePresent(path)
  // Links out of the home are not in any backup, and a rollback may not move them.
  const extras = live.filter(({ path, unreadable }) => unreadable !== 'outward-link' && isExtra(path)).map(({ path }) => path)

  const foldedStaying = new Set([...staying].flatMap((path) => foldersAbove(fold(path))))
  const livesOn = new Set(skillsIn(contents.keys()).map(({ path }) => path))
  // Deepest first, so that a nested skill gets its own archive entry.
  const goneSkills = skillsIn(present)
    .filter(({ path }) => !livesOn.has(path))
    .sort((a, b) => b.path.split('/').length - a.path.split('/').length)
  const goneFolders = new Map(goneSkills.map((skill) => [`${SKILLS_FOLDER}/${skill.path}`, skill]))
  const skillOf = (path: string): SkillFolder | undefined => {
    const folder = foldersAbove(path).findLast((above) => goneFolders.has(above))
    return folder === undefined ? undefined : goneFolders.get(folder)
  }
  const isWhole = (folder: string): boolean => !foldedStaying.has(fold(folder))

  const newEntries = new Set<string>()
  const oldEntries = new Set([...staying].flatMap((path) => entryOf(path) ?? []))
  const leaving: Leaving[] = []
  const wholeFolders = new Set<string>()
  for (const path of extras) {
    if (isBelow(path, ARCHIVE_FOLDER)) {
      const entry = entryOf(path)
      if (entry !== undefined && !oldEntries.has(entry)) newEntries.add(entry)
      else if (entry !== undefined) leaving.push({ kind: 'document', path, skill: undefined })
      continue
    }
    const skill = skillOf(path)
    const folder = skill && `${SKILLS_FOLDER}/${skill.path}`
    if (folder !== undefined && isWhole(folder)) wholeFolders.add(folder)
    else leaving.push({ kind: skill ? 'skill-file' : 'document', path, skill })
  }
  for (const skill of goneSkills) {
    const path = `${SKILLS_FOLDER}/${skill.path}`
    if (wholeFolders.has(path)) leaving.push({ kind: 'skill', path, skill })
  }

  const mayBlock = standsInTheWay(puts, fold)
  const blocking = extras.filter(mayBlock)
  const archivedInTheWay = blocking
    .filter((path) => newEntries.has(entryOf(path) ?? ''))
    .map((path): Leaving => ({ kind: 'document', path, skill: undefined }))

  // Documents that a rollback may not move are compared exactly: a file system with two cases of one name keeps them apart.
  const movable = new Set(extras)
  const replaced = new Set(puts)
  const blocksExactly = standsInTheWay(puts, (path) => path)
  return {
    puts,
    leavingFirst: [...leaving.filter(({ path }) => mayBlock(path)), ...archivedInTheWay],
    leaving: leaving.filter(({ path }) => !mayBlock(path)),
    newEntries: [...newEntries],
    obstacles: [...present].filter((path) => !movable.has(path) && !replaced.has(path) && blocksExactly(path)),
  }
}
