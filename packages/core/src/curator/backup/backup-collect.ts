/** Reads the files of a backup into the archive, in order of priority and within the limits. */

import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { sha256Of } from '../../shared/sha256.ts'
import { ARCHIVE_FOLDER } from '../../skills/archive.ts'
import { findSkillFolders, SKILLS_FOLDER, toDocumentPath } from '../../skills/skill-discovery.ts'
import { byCodeUnit } from '../../storage/document-tree.ts'
import { readDocument } from '../../storage/one-document.ts'
import type { DocumentContent, DocumentInfo, StorageBackend } from '../../storage/storage-backend.ts'
import { batchesOf } from './backup-batches.ts'
import type { BackupFile, LeftOutFile } from './backup-manifest.ts'
import type { ArchiveWriter } from './backup-pack.ts'
import { isInBackup } from './backup-scope.ts'

/** Bytes. */
export interface BackupBounds {
  /** All files together, uncompressed. */
  readonly maxBytes: number
  readonly maxFileBytes: number
}

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

/** Reads the current version of each document; documents that have disappeared are skipped. `over_limit` if a SKILL.md does not fit. */
export const collectFiles = async (
  storage: StorageBackend,
  writer: Pick<ArchiveWriter, 'add'>,
  bounds: BackupBounds,
): Promise<Result<Collected>> => {
  const listed = await storage.list(SKILLS_FOLDER)
  if (!listed.ok) return listed
  const skillFiles = new Set(findSkillFolders(listed.value).map((folder) => toDocumentPath(folder)))
  const documents = listed.value
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

  for (const batch of batchesOf(documents)) {
    // Files known to be too large are not read.
    const read = await Promise.all(
      batch.map(async ({ info }) => {
        const why = whyNotRead(info) ?? boundFor(info.size)
        return { info, outcome: why ?? (await readDocument(storage, info.path)) }
      }),
    )
    for (const { info, outcome } of read) {
      let taken: Result<void> = ok(undefined)
      if (typeof outcome === 'string') taken = leaveOut(info, outcome)
      else if (!outcome.ok) taken = isUnreadable(outcome.error) ? leaveOut(info, 'unreadable') : outcome
      else if (outcome.value) taken = await take(info, outcome.value)
      else missedSkill ||= skillFiles.has(info.path)
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
