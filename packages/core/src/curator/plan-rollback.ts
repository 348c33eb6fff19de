/** Decides what a rollback has to do, from the paths alone, and what the usage sidecar is afterwards (seed 003). Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { ARCHIVE_FOLDER, entryOfManifest, viewArchive } from '../skills/archive.ts'
import { findSkillFolders, SKILLS_FOLDER, type SkillFolder } from '../skills/skill-discovery.ts'
import { isBelow } from '../storage/document-tree.ts'
import type { DocumentInfo, StoredDocument } from '../storage/storage-backend.ts'
import { readStoredRecord, writeStoredRecord } from '../usage/stored-record.ts'
import type { UsageRecord, UsageRecordInput } from '../usage/usage-record.ts'
import { applyState } from '../usage/usage-record.ts'
import { decodeSidecar, encodeSidecar, USAGE_PATH, type UsageSidecar } from '../usage/usage-sidecar.ts'
import { isInBackup, isKeptWherePresent, isLeftAlone } from './backup-manifest.ts'
import type { OpenBackup } from './backups.ts'

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

/** 0 means never, even beside times before 1970. */
const later = (a: number, b: number): number => (a === 0 || b === 0 ? a || b : Math.max(a, b))

/** Pins are set by a person, so a rollback keeps them. */
const mergeRecords = (then: UsageRecord, now: UsageRecord): UsageRecordInput => ({
  ...now,
  createdBy: then.createdBy,
  createdByModel: then.createdByModel,
  patchedByModel: then.patchedByModel,
  state: then.state,
  archivedAt: then.archivedAt,
  createdAt: then.createdAt || now.createdAt,
  pinned: then.pinned || now.pinned,
  useCount: Math.max(then.useCount, now.useCount),
  viewCount: Math.max(then.viewCount, now.viewCount),
  patchCount: Math.max(then.patchCount, now.patchCount),
  lastUsedAt: later(then.lastUsedAt, now.lastUsedAt),
  lastViewedAt: later(then.lastViewedAt, now.lastViewedAt),
  lastPatchedAt: later(then.lastPatchedAt, now.lastPatchedAt),
  patchGeneration: Math.max(then.patchGeneration, now.patchGeneration),
  lastReusedPatchGeneration: Math.max(then.lastReusedPatchGeneration, now.lastReusedPatchGeneration),
  restoredAt: later(then.restoredAt, now.restoredAt),
  misjudgements: Math.max(then.misjudgements, now.misjudgements),
  successCount: Math.max(then.successCount, now.successCount),
  correctionCount: Math.max(then.correctionCount, now.correctionCount),
})

/** Most records of a large library have not changed since: comparing them takes a fraction of the time of merging them. */
const isSame = (then: unknown, now: unknown): boolean => JSON.stringify(then) === JSON.stringify(now)

/** Keeps the records of both sides. Idempotent. Pure. */
export const mergeUsage = (then: UsageSidecar, now: UsageSidecar): UsageSidecar => {
  if (then.size === 0) return now
  const merged = new Map(now)
  for (const [name, stored] of then) {
    const current = now.get(name)
    if (isSame(stored, current)) continue
    const recordThen = readStoredRecord(stored)
    const recordNow = readStoredRecord(current)
    if (!recordThen) merged.set(name, current ?? stored)
    else if (!recordNow) merged.set(name, stored)
    else merged.set(name, writeStoredRecord({ ...Object(stored), ...Object(current) }, mergeRecords(recordThen, recordNow)))
  }
  return merged
}

/** Returns the same map if none of the skills has a record: nothing is written then. */
const markArchived = (sidecar: UsageSidecar, names: ReadonlySet<string>, at: number): UsageSidecar => {
  const marked = [...names].flatMap((name): (readonly [string, unknown])[] => {
    const stored = sidecar.get(name)
    const record = readStoredRecord(stored)
    return record ? [[name, writeStoredRecord(stored, applyState(record, 'archived', at))]] : []
  })
  return marked.length === 0 ? sidecar : new Map([...sidecar, ...marked])
}

export interface PlannedUsage {
  /** The next sidecar; undefined: it stays as it is. */
  readonly bytes: Uint8Array | undefined
  /** The present sidecar is corrupt and is replaced: it is to be kept aside. */
  readonly isCorrupt: boolean
  /** The sidecar of the backup is corrupt and was left out. */
  readonly problem: HermesError | undefined
}

/** `then`: the sidecar of the backup. `archived`: names of the skills that the rollback archives. */
export const planUsage = (
  now: StoredDocument | undefined,
  then: Uint8Array | undefined,
  archived: ReadonlySet<string>,
  at: number,
): PlannedUsage => {
  const before = decodeSidecar(then && { bytes: then })
  const present = decodeSidecar(now)
  const problem = before.ok
    ? undefined
    : new HermesError('unreadable', `'${USAGE_PATH}' was corrupt in the backup already and stays as it is now.`, { cause: before.error })
  const known: UsageSidecar = before.ok ? before.value : new Map()
  if (known.size === 0 && archived.size === 0) return { bytes: undefined, isCorrupt: false, problem }
  const current: UsageSidecar = present.ok ? present.value : new Map()
  const next = markArchived(mergeUsage(known, current), archived, at)
  return { bytes: next === current && present.ok ? undefined : encodeSidecar(next), isCorrupt: !present.ok, problem }
}
