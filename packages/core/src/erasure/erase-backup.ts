/** Erases texts from a backup of skills: unpacks it, cuts the texts, and packs it again with a new manifest, so that the backup stays valid. */

import { type BackupContents, createArchiveWriter, decompress } from '../curator/backup-archive.ts'
import type { BackupFile, LeftOutFile, SkillBackup } from '../curator/backup-manifest.ts'
import { archivePath, manifestPath } from '../curator/backup-manifest.ts'
import { openBackup, readManifest } from '../curator/backups.ts'
import { LARGEST_BACKUP_BYTES } from '../curator/curator-options.ts'
import { CURATOR_STATE_PATH } from '../curator/state.ts'
import { canonicalJson } from '../shared/canonical-json.ts'
import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import { sha256Of } from '../shared/sha256.ts'
import { MANIFEST_FOLDER } from '../skills/archive.ts'
import { SKILL_FILE } from '../skills/skill-discovery.ts'
import { isBelow } from '../storage/document-tree.ts'
import { readDocument } from '../storage/one-document.ts'
import type { DocumentContent, StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import { USAGE_PATH } from '../usage/usage-sidecar.ts'
import { cutJson, cutSkill, cutText } from './redact-documents.ts'
import { CLEAN, type Erasure, ReadDocument, type Redacted, redactAtOnce } from './redaction.ts'
import { freeNameOf } from './redactor-of.ts'
import { someChunk } from './text-matcher.ts'

/** What to write of a backup: both documents, or none if it is of no use. */
export interface ErasedBackup {
  readonly id: string
  /** The documents as they were read, by path. */
  readonly read: ReadonlyMap<string, StoredDocument | undefined>
  /** Undefined: they are removed. */
  readonly packed: { readonly archive: Uint8Array; readonly manifest: Uint8Array } | undefined
}

const UNKNOWN = 'It cannot be unpacked, so it may hold the text. Delete it if nobody needs it.'
const NAMED = 'A file in this backup has the text in its name. Delete the backup if nobody needs it.'

/** `undefined` if the bytes are not a complete gzip file, or unpack to more than `LARGEST_BACKUP_BYTES`. */
export const gunzip = async (bytes: Uint8Array): Promise<Uint8Array | undefined> => {
  try {
    return new Uint8Array(await new Response(decompress(bytes, () => LARGEST_BACKUP_BYTES)).arrayBuffer())
  } catch {
    return undefined
  }
}

/** JSON of the library is cut value by value; files of a skill are cut as plain text. */
const cutFile = async (path: string, bytes: Uint8Array, erasure: Erasure): Promise<Redacted> => {
  const document = new ReadDocument(bytes)
  if (!(await someChunk(document.loose, erasure.overlap, erasure.mayHold))) return CLEAN
  if (path === USAGE_PATH) return redactAtOnce(cutJson('backups', true)(document, erasure))
  if (path === CURATOR_STATE_PATH || isBelow(path, MANIFEST_FOLDER)) return redactAtOnce(cutJson('backups')(document, erasure))
  return redactAtOnce((path.endsWith(`/${SKILL_FILE}`) ? cutSkill : cutText)('backups')(document, erasure))
}

/** Bytes that are read before other work can run. */
const BYTES_BETWEEN_PAUSES = 262_144
/** Overhead that is counted for each file, in bytes. */
const BYTES_PER_FILE = 1_024

const cutFiles = async (backup: SkillBackup, contents: BackupContents, erasure: Erasure) => {
  const kept = new Map<string, DocumentContent>()
  const leftOut: LeftOutFile[] = []
  let isChanged = erasure.matches(backup.reason)
  let isNamed = backup.leftOut.some(({ path }) => erasure.matches(freeNameOf(path)))
  let sincePause = 0
  for (const [path, file] of contents) {
    sincePause += file.bytes.length + BYTES_PER_FILE
    if (sincePause >= BYTES_BETWEEN_PAUSES) {
      sincePause = 0
      await pause()
    }
    const cut = await cutFile(path, file.bytes, erasure)
    isNamed ||= erasure.matches(freeNameOf(path)) || cut.kind === 'remaining'
    isChanged ||= cut.kind === 'changed'
    const bytes = cut.kind === 'changed' ? cut.next : file.bytes
    if (bytes) kept.set(path, { ...file, bytes })
    else leftOut.push({ path, size: file.bytes.length, why: 'erased' })
  }
  return { kept, leftOut, isChanged, isNamed }
}

const pack = async (
  backup: SkillBackup,
  contents: ReadonlyMap<string, DocumentContent>,
  leftOut: readonly LeftOutFile[],
  reason: string,
) => {
  const writer = await createArchiveWriter(backup.createdAt)
  const files: BackupFile[] = []
  for (const [path, { bytes, executable }] of contents) {
    await writer.add(path, { bytes, executable: executable === true })
    files.push({ path, size: bytes.length, sha256: await sha256Of(bytes), ...(executable ? { executable } : {}) })
  }
  const archive = await writer.finish()
  const sizes = { archiveBytes: archive.length, archiveSha256: await sha256Of(archive) }
  const next: SkillBackup = { ...backup, reason, ...sizes, files, leftOut: [...backup.leftOut, ...leftOut] }
  return { archive, manifest: new TextEncoder().encode(canonicalJson(next)) }
}

/** `clean` if nothing of the text is in the backup; a reason if it remains. One that cannot be restored anyway is removed if it contains the text. */
export const eraseBackup = async (
  storage: StorageBackend,
  id: string,
  erasure: Erasure,
): Promise<Result<ErasedBackup | 'clean' | { readonly reason: string }>> => {
  const read = new Map<string, StoredDocument | undefined>()
  for (const path of [archivePath(id), manifestPath(id)]) {
    const document = await readDocument(storage, path)
    if (!document.ok) return document
    read.set(path, document.value)
  }
  const manifest = await readManifest(storage, id)
  const opened = manifest.ok ? await openBackup(storage, manifest.value) : manifest
  if (!opened.ok) {
    if (opened.error.code !== 'unreadable' && opened.error.code !== 'not_found') return opened
    const archive = read.get(archivePath(id))
    const unpacked = archive ? await gunzip(archive.bytes) : new Uint8Array()
    if (!unpacked) return ok({ reason: UNKNOWN })
    const text = [unpacked, read.get(manifestPath(id))?.bytes ?? new Uint8Array()].map((bytes) => new ReadDocument(bytes).loose).join('\n')
    return ok((await someChunk(text, erasure.overlap, erasure.matches)) ? { id, read, packed: undefined } : 'clean')
  }
  const { backup, contents } = opened.value
  const { kept, leftOut, isChanged, isNamed } = await cutFiles(backup, contents, erasure)
  if (!isChanged) return ok(isNamed ? { reason: NAMED } : 'clean')
  return ok({ id, read, packed: await pack(backup, kept, leftOut, erasure.cut(backup.reason)) })
}
