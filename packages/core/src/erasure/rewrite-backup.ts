/**
 * Erases texts from a backup of skills: unpacks it, cuts the texts, and packs it again with a new manifest, so that the backup stays valid. The new manifest is
 * staged before the archive is replaced, so that the next erasure can finish an interrupted rewrite.
 */

import { type BackupContents, createArchiveWriter } from '../curator/backup-archive.ts'
import {
  archivePath,
  BACKUPS_FOLDER,
  type BackupFile,
  type LeftOutFile,
  manifestPath,
  type SkillBackup,
  skillBackupSchema,
} from '../curator/backup-manifest.ts'
import { openBackup, readManifest } from '../curator/backups.ts'
import { CURATOR_STATE_PATH } from '../curator/state.ts'
import { equalBytes } from '../shared/equal-bytes.ts'
import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import { sha256Of } from '../shared/sha256.ts'
import { MANIFEST_FOLDER } from '../skills/archive/archive-manifest.ts'
import { SKILL_FILE } from '../skills/skill-discovery.ts'
import { isBelow } from '../storage/document-tree.ts'
import { readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { readDocument, UNCHANGED, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { USAGE_PATH } from '../usage/usage-sidecar.ts'
import { freeNameOf } from './free-name.ts'
import { cutJson, cutSkill, cutText } from './redact-library.ts'
import { CLEAN, type Erasure, gunzip, type Redacted, type Redactor, readText } from './redaction.ts'
import { someChunk } from './text-matcher.ts'

/** Staged manifests of backups whose archive is being replaced. */
const REWRITING_FOLDER = `${BACKUPS_FOLDER}/.rewriting`

const rewritingPath = (id: string): string => `${REWRITING_FOLDER}/${id}.json`

export type RewrittenBackup = 'clean' | 'rewritten' | 'removed' | 'changed-meanwhile' | { readonly reason: string }

const UNKNOWN = 'It cannot be unpacked, so it may hold the text. Delete it if nobody needs it.'
const NAMED = 'A file in this backup has the text in its name. Delete the backup if nobody needs it.'

interface CutFiles {
  readonly contents: BackupContents
  readonly changed: boolean
  /** Files that were removed entirely. */
  readonly leftOut: readonly LeftOutFile[]
  readonly isNamed: boolean
}

/** JSON of the library is cut value by value; files of a skill are cut as plain text. */
const redactorIn = (path: string): Redactor => {
  if (path === USAGE_PATH) return cutJson('backups', true)
  if (path === CURATOR_STATE_PATH || isBelow(path, MANIFEST_FOLDER)) return cutJson('backups')
  return path.endsWith(`/${SKILL_FILE}`) ? cutSkill('backups') : cutText('backups')
}

const cutFile = async (path: string, bytes: Uint8Array, erasure: Erasure): Promise<Redacted> => {
  const document = readText(bytes)
  return (await someChunk(document.loose, erasure.overlap, erasure.mayHold)) ? redactorIn(path)(document, erasure) : CLEAN
}

/** Bytes that are read before other work can run. */
const BYTES_BETWEEN_PAUSES = 262_144

/** Overhead that is counted for each file, in bytes. */
const BYTES_PER_FILE = 1_024

const cutFiles = async ({ leftOut: missing }: SkillBackup, contents: BackupContents, erasure: Erasure): Promise<CutFiles> => {
  const kept = new Map<string, { readonly bytes: Uint8Array; readonly executable: boolean }>()
  const leftOut: LeftOutFile[] = []
  let changed = false
  let isNamed = missing.some(({ path }) => erasure.matches(freeNameOf(path)))
  let sincePause = 0
  for (const [path, file] of contents) {
    sincePause += file.bytes.length + BYTES_PER_FILE
    if (sincePause >= BYTES_BETWEEN_PAUSES) {
      sincePause = 0
      await pause()
    }
    const cut = await cutFile(path, file.bytes, erasure)
    isNamed ||= erasure.matches(freeNameOf(path)) || cut.kind === 'remaining'
    changed ||= cut.kind === 'changed'
    const bytes = cut.kind === 'changed' ? cut.next : file.bytes
    if (bytes) kept.set(path, { bytes, executable: file.executable })
    else leftOut.push({ path, size: file.bytes.length, why: 'erased' })
  }
  return { contents: kept, changed, leftOut, isNamed }
}

const toFile = async (
  path: string,
  { bytes, executable }: { readonly bytes: Uint8Array; readonly executable: boolean },
): Promise<BackupFile> => ({
  path,
  size: bytes.length,
  sha256: await sha256Of(bytes),
  ...(executable ? { executable } : {}),
})

const repack = async (backup: SkillBackup, cut: CutFiles, erasure: Erasure) => {
  const writer = await createArchiveWriter(backup.createdAt)
  const files: BackupFile[] = []
  for (const [path, file] of cut.contents) {
    await writer.add(path, file)
    files.push(await toFile(path, file))
  }
  const archive = await writer.finish()
  const next: SkillBackup = {
    ...backup,
    reason: erasure.cut(backup.reason),
    archiveBytes: archive.length,
    archiveSha256: await sha256Of(archive),
    files,
    leftOut: [...backup.leftOut, ...cut.leftOut],
  }
  return { archive, next }
}

const writeManifest = (storage: StorageBackend, path: string, backup: SkillBackup): Promise<Result<unknown>> =>
  updateJsonDocument(storage, path, skillBackupSchema, () => backup)

/** Writes the final manifest. Until then the backup counts as damaged and cannot be restored. */
const finish = async (storage: StorageBackend, next: SkillBackup): Promise<Result<void>> => {
  const written = await writeManifest(storage, manifestPath(next.id), next)
  if (!written.ok) return written
  const done = await updateDocument(storage, rewritingPath(next.id), () => undefined)
  return done.ok ? ok(undefined) : done
}

/** Finishes interrupted rewrites whose archive was already replaced, and drops the others. */
export const finishRewrites = async (storage: StorageBackend): Promise<Result<void>> => {
  const listed = await storage.list(REWRITING_FOLDER)
  if (!listed.ok) return listed
  for (const { path } of listed.value) {
    const staged = await readJsonDocument(storage, path, skillBackupSchema)
    const archive = staged.ok && staged.value ? await readDocument(storage, archivePath(staged.value.id)) : undefined
    if (archive?.ok === false) return archive
    const isReplaced = archive?.value && staged.ok && (await sha256Of(archive.value.bytes)) === staged.value?.archiveSha256
    const settled = isReplaced && staged.value ? await finish(storage, staged.value) : await updateDocument(storage, path, () => undefined)
    if (!settled.ok) return settled
  }
  return ok(undefined)
}

/** Removes a backup that cannot be restored anyway, if it contains the text. */
const removeUnusable = async (storage: StorageBackend, id: string, erasure: Erasure, dryRun: boolean): Promise<Result<RewrittenBackup>> => {
  const archive = await readDocument(storage, archivePath(id))
  if (!archive.ok) return archive
  const manifest = await readDocument(storage, manifestPath(id))
  if (!manifest.ok) return manifest
  const unpacked = archive.value ? await gunzip(archive.value.bytes) : new Uint8Array()
  if (!unpacked) return ok({ reason: UNKNOWN })
  const text = readText(unpacked).loose + readText(manifest.value?.bytes ?? new Uint8Array()).loose
  if (!(await someChunk(text, erasure.overlap, erasure.matches))) return ok('clean')
  for (const path of dryRun ? [] : [manifestPath(id), archivePath(id)]) {
    const removed = await updateDocument(storage, path, () => undefined)
    if (!removed.ok) return removed
  }
  return ok('removed')
}

export const rewriteBackup = async (
  storage: StorageBackend,
  id: string,
  erasure: Erasure,
  dryRun: boolean,
): Promise<Result<RewrittenBackup>> => {
  const read = await readDocument(storage, archivePath(id))
  if (!read.ok) return read
  const manifest = await readManifest(storage, id)
  const opened = manifest.ok ? await openBackup(storage, manifest.value) : manifest
  if (!opened.ok) {
    return opened.error.code === 'unreadable' || opened.error.code === 'not_found' ? removeUnusable(storage, id, erasure, dryRun) : opened
  }
  const { backup, contents } = opened.value
  const cut = await cutFiles(backup, contents, erasure)
  if (!cut.changed && !erasure.matches(backup.reason)) return ok(cut.isNamed ? { reason: NAMED } : 'clean')
  if (dryRun) return ok('rewritten')

  const { archive, next } = await repack(backup, cut, erasure)
  const staged = await writeManifest(storage, rewritingPath(id), next)
  if (!staged.ok) return staged
  let isOurs = false
  const replaced = await updateDocument(storage, archivePath(id), (current) => {
    isOurs = current !== undefined && read.value !== undefined && equalBytes(current.bytes, read.value.bytes)
    return isOurs ? archive : UNCHANGED
  })
  if (!replaced.ok) return replaced
  if (!isOurs) {
    const dropped = await updateDocument(storage, rewritingPath(id), () => undefined)
    return dropped.ok ? ok('changed-meanwhile') : dropped
  }
  const finished = await finish(storage, next)
  return finished.ok ? ok('rewritten') : finished
}
