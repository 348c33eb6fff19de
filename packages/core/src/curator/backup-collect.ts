/** Reads the skill library into the archive of a backup or an export, in order of priority and within the limits. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { sha256Of } from '../shared/sha256.ts'
import { ARCHIVE_FOLDER } from '../skills/archive.ts'
import { findSkillFolders, SKILLS_FOLDER, toDocumentPath } from '../skills/skill-discovery.ts'
import { byCodeUnit } from '../storage/document-tree.ts'
import { orError } from '../storage/one-document.ts'
import type { Cut, DocumentContent, DocumentInfo, StorageBackend } from '../storage/storage-backend.ts'
import type { ArchiveWriter } from './backup-archive.ts'
import { type BackupFile, isInBackup, type LeftOutFile } from './backup-manifest.ts'
import type { BackupBounds } from './curator-options.ts'

/** What the archive holds and what was left out. */
export interface Collected {
  readonly files: readonly BackupFile[]
  readonly leftOut: readonly LeftOutFile[]
  readonly skillCount: number
  /** A listed skill was gone when it was to be read: it may have moved to a place already passed. */
  readonly missedSkill: boolean
}

/** Order: skills and their metadata, then their files, then the archive. */
const rankOf = (path: string, skillFiles: ReadonlySet<string>): number => {
  if (skillFiles.has(path)) return 0
  if (!path.slice(SKILLS_FOLDER.length + 1).includes('/')) return 1
  return path.startsWith(`${ARCHIVE_FOLDER}/`) ? 3 : 2
}

const doesNotFit = (path: string, why: LeftOutFile['why']): HermesError =>
  new HermesError(
    'over_limit',
    `'${path}' does not fit into a backup (${why}), and a backup must contain every skill. Make it readable and shorter, or raise the limits of the backup.`,
    { details: { path, why } },
  )

/** Files that permissions or links make unreadable are recorded and skipped; any other failure ends the backup. */
const isUnreadable = ({ code }: HermesError): boolean => code === 'unreadable' || code === 'invalid_path'

/** The reason to skip a file without reading it. */
const whyNotRead = ({ unreadable }: DocumentInfo): LeftOutFile['why'] | undefined => {
  if (unreadable === 'outward-link') return 'link out of the home'
  return unreadable === undefined || unreadable === 'closed-folder' ? undefined : 'unusable name'
}

/** Read in one cut, and in memory at once: at most so many documents, and so many bytes beyond the first. */
const READ_AT_ONCE = 64
const BYTES_AT_ONCE = 4 * 1024 * 1024

function* batchesOf<T extends { readonly info: DocumentInfo }>(documents: readonly T[]): Generator<readonly T[]> {
  let batch: T[] = []
  let bytes = 0
  for (const document of documents) {
    bytes += document.info.size
    if (batch.length > 0 && (batch.length === READ_AT_ONCE || bytes > BYTES_AT_ONCE)) {
      yield batch
      batch = []
      bytes = document.info.size
    }
    batch.push(document)
  }
  if (batch.length > 0) yield batch
}

/**
 * Reads the files of a backup into the archive, in order of priority and within the limits; documents that have disappeared are skipped. `documents`: a listing of the
 * library; default: a fresh one. `over_limit` if a SKILL.md does not fit.
 */
export const collectFiles = async (
  storage: StorageBackend,
  writer: Pick<ArchiveWriter, 'add'>,
  bounds: BackupBounds,
  documents?: readonly DocumentInfo[],
): Promise<Result<Collected>> => {
  const listed = documents ? ok(documents) : await storage.list(SKILLS_FOLDER)
  if (!listed.ok) return listed
  const skillFiles = new Set(findSkillFolders(listed.value).map((folder) => toDocumentPath(folder)))
  const wanted = listed.value
    .filter(({ path }) => isInBackup(path))
    .map((info) => ({ info, rank: rankOf(info.path, skillFiles) }))
    .sort((a, b) => a.rank - b.rank || byCodeUnit(a.info.path, b.info.path))

  const files: BackupFile[] = []
  const leftOut: LeftOutFile[] = []
  let used = 0
  let missedSkill = false

  const boundFor = (size: number): LeftOutFile['why'] | undefined => {
    if (size > bounds.maxFileBytes) return 'file too large'
    return used + size > bounds.maxBytes ? 'backup full' : undefined
  }

  const leaveOut = ({ path, size }: DocumentInfo, why: LeftOutFile['why']): Result<void> => {
    if (skillFiles.has(path) && (why === 'file too large' || why === 'backup full')) return err(doesNotFit(path, why))
    leftOut.push({ path, size, why })
    return ok(undefined)
  }

  const take = async (info: DocumentInfo, content: DocumentContent): Promise<Result<void>> => {
    const { bytes, executable } = content
    const why = boundFor(bytes.length)
    if (why) return leaveOut({ ...info, size: bytes.length }, why)
    used += bytes.length
    await writer.add(info.path, content)
    files.push({ path: info.path, size: bytes.length, sha256: await sha256Of(bytes), ...(executable ? { executable } : {}) })
    return ok(undefined)
  }

  const takeNext = async (cut: Cut | undefined, info: DocumentInfo): Promise<Result<void>> => {
    const why = whyNotRead(info) ?? boundFor(info.size)
    if (why || !cut) return leaveOut(info, why ?? 'unreadable')
    const read = await orError(async () => ok(cut.document(info.path)))
    if (!read.ok) return isUnreadable(read.error) ? leaveOut(info, 'unreadable') : read
    if (read.value) return take(info, read.value)
    missedSkill ||= skillFiles.has(info.path)
    return ok(undefined)
  }

  for (const batch of batchesOf(wanted)) {
    // Files known to be too large are not read.
    const due = batch.filter(({ info }) => !(whyNotRead(info) ?? boundFor(info.size)))
    const cut = due.length === 0 ? ok(undefined) : await storage.read(due.map(({ info }) => info.path))
    if (!cut.ok) return cut
    for (const { info } of batch) {
      const taken = await takeNext(cut.value, info)
      if (!taken.ok) return taken
    }
  }
  const included = new Set(files.map(({ path }) => path))
  return ok({
    files: files.sort((a, b) => byCodeUnit(a.path, b.path)),
    leftOut: leftOut.sort((a, b) => byCodeUnit(a.path, b.path)),
    skillCount: [...skillFiles].filter((path) => included.has(path)).length,
    missedSkill,
  })
}
