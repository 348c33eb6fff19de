/** What a rollback has to do, decided from the paths alone (seed 003). Pure. */
import { ARCHIVE_FOLDER } from '../../skills/archive/archive-manifest.ts'
import { findSkillFolders, SKILLS_FOLDER, type SkillFolder } from '../../skills/skill-discovery.ts'
import { isBelow } from '../../storage/document-tree.ts'
import type { DocumentInfo } from '../../storage/storage-backend.ts'
import { USAGE_PATH } from '../../usage/usage-sidecar.ts'
import type { OpenBackup } from '../backup/backup-open.ts'
import { isInBackup, isKeptWherePresent, isLeftAlone } from '../backup/backup-scope.ts'

/** What goes out of the library: a whole skill, a file of a skill whose folder stays in part, or any other document. */
export interface Leaving {
  readonly kind: 'skill' | 'skill-file' | 'document'
  /** The path of the skill's folder, or of the document. */
  readonly path: string
  readonly skill: SkillFolder | undefined
}

/** By document paths. */
export interface RollbackPlan {
  /** Documents to write as they were, by path. */
  readonly puts: readonly string[]
  /** What blocks the place of one of these, and so leaves first. */
  readonly leavingFirst: readonly Leaving[]
  readonly leaving: readonly Leaving[]
  /** Entries of the archive that were made since. */
  readonly newEntries: readonly string[]
  /** What blocks such a place and is not for a rollback to move. */
  readonly obstacles: readonly string[]
}

/** Equal where a file system ignores case or Unicode form: there, one would overwrite the other. */
const fold = (path: string): string => path.normalize('NFC').toLowerCase()

const foldersAbove = (path: string): readonly string[] => {
  const segments = path.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}

/** Whether a document is at one of these places, above or below one; `form` says which paths are the same place. */
const standsInTheWay = (places: readonly string[], form: (path: string) => string): ((path: string) => boolean) => {
  const taken = new Set(places.map(form))
  const above = new Set(places.flatMap((path) => foldersAbove(form(path))))
  return (path) => {
    const own = form(path)
    return taken.has(own) || above.has(own) || foldersAbove(own).some((folder) => taken.has(folder))
  }
}

/** The folder in the archive; `undefined` for a document beside the folders. */
const entryOf = (path: string): string | undefined => {
  if (!isBelow(path, ARCHIVE_FOLDER)) return undefined
  const [first, second] = path.slice(ARCHIVE_FOLDER.length + 1).split('/')
  return first && second !== undefined && !first.startsWith('.') ? first : undefined
}

/** The live skills of a backup. */
export const skillsIn = (paths: Iterable<string>): readonly SkillFolder[] => {
  const documents = Array.from(paths, (path) => ({ path, size: 0, stamp: '' }))
  return findSkillFolders(documents)
}

/** `same`: those documents of the backup that are in the library byte for byte. */
export const planRollback = (live: readonly DocumentInfo[], { backup, contents }: OpenBackup, same: ReadonlySet<string>): RollbackPlan => {
  const present = new Set(live.map(({ path }) => path))
  const puts = [...contents.keys()].filter(
    (path) => !same.has(path) && path !== USAGE_PATH && !isLeftAlone(path) && !(isKeptWherePresent(path) && present.has(path)),
  )
  const staying = new Set([...contents.keys(), ...backup.leftOut.map(({ path }) => path)])
  const isExtra = (path: string): boolean =>
    isInBackup(path) && !staying.has(path) && path !== USAGE_PATH && !isLeftAlone(path) && !isKeptWherePresent(path)
  // A link out of the home is in no backup, and not for a rollback to move.
  const extras = live.filter(({ path, unreadable }) => unreadable !== 'outward-link' && isExtra(path)).map(({ path }) => path)

  const foldedStaying = new Set([...staying].flatMap((path) => foldersAbove(fold(path))))
  const livesOn = new Set(skillsIn(contents.keys()).map(({ path }) => path))
  // The deepest first, so that a skill inside another gets an entry of its own.
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
  const oldEntries = new Set([...staying].filter((path) => isBelow(path, ARCHIVE_FOLDER)).flatMap((path) => entryOf(path) ?? []))
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
    if (skill && folder !== undefined && isWhole(folder)) wholeFolders.add(folder)
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
  const blocks = ({ kind, path }: Leaving): boolean => (kind === 'skill' ? blocking.some((other) => isBelow(other, path)) : mayBlock(path))

  // Documents that a rollback may not move are compared exactly: a file system that holds two cases of one name keeps them apart.
  const movable = new Set(extras)
  const replaced = new Set(puts)
  const blocksExactly = standsInTheWay(puts, (path) => path)
  return {
    puts,
    leavingFirst: [...leaving.filter(blocks), ...archivedInTheWay],
    leaving: leaving.filter((one) => !blocks(one)),
    newEntries: [...newEntries],
    obstacles: [...present].filter((path) => !movable.has(path) && !replaced.has(path) && blocksExactly(path)),
  }
}
