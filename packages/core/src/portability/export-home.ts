/** Packs a home into a `.tar.gz`: `hermes-export.json` first, then the documents at their paths. */

import { createArchiveWriter } from '../curator/backup-archive.ts'
import { readArchiveInSlices } from '../memory/memory-archive.ts'
import { decodeMemoryDocument } from '../memory/memory-document.ts'
import type { MemoryTarget } from '../memory/memory-op.ts'
import { canonicalJson } from '../shared/canonical-json.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { sha256Of } from '../shared/sha256.ts'
import type { DocumentContent, StorageBackend } from '../storage/storage-backend.ts'
import { MEMORY_ARCHIVE_PATH, MEMORY_PATHS } from '../storage/storage-paths.ts'
import { type CollectedExport, collectExport } from './collect-export.ts'
import {
  EXPORT_FORMAT,
  EXPORT_MANIFEST,
  EXPORT_VERSION,
  type ExportCounts,
  type ExportFile,
  type ExportManifest,
} from './export-manifest.ts'
import { type ExportPart, partOf } from './export-scope.ts'
import { toExportedSkills } from './exported-skill.ts'
import { newestRecordAt } from './newest-record.ts'

const countEntries = (contents: ReadonlyMap<string, DocumentContent>, target: MemoryTarget): number => {
  const decoded = decodeMemoryDocument(target, contents.get(MEMORY_PATHS[target])?.bytes)
  return decoded.ok ? decoded.value.entries.length : 0
}

const countContents = async (contents: ReadonlyMap<string, DocumentContent>): Promise<ExportCounts> => {
  const paths = [...contents.keys()]
  const countOf = (part: ExportPart): number => paths.filter((path) => partOf(path) === part).length
  const { live, archived } = toExportedSkills(paths)
  return {
    memory: countEntries(contents, 'memory'),
    user: countEntries(contents, 'user'),
    memoryArchive: (await readArchiveInSlices(contents.get(MEMORY_ARCHIVE_PATH)?.bytes)).size,
    skills: live.length,
    archivedSkills: archived.length,
    pending: countOf('pending'),
    journalDays: countOf('journal'),
  }
}

const toManifest = async ({ contents, leftOut }: CollectedExport): Promise<ExportManifest> => {
  const files: ExportFile[] = []
  for (const [path, { bytes, executable }] of contents)
    files.push({ path, size: bytes.length, sha256: await sha256Of(bytes), ...(executable ? { executable } : {}) })
  return {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    newestAt: await newestRecordAt(contents),
    counts: await countContents(contents),
    files,
    leftOut,
  }
}

const pack = async (manifest: ExportManifest, contents: ReadonlyMap<string, DocumentContent>): Promise<Uint8Array> => {
  const writer = await createArchiveWriter(manifest.newestAt)
  try {
    await writer.add(EXPORT_MANIFEST, { bytes: new TextEncoder().encode(canonicalJson(manifest)) })
    for (const [path, content] of contents) await writer.add(path, content)
    return await writer.finish()
  } catch (cause) {
    await writer.abandon()
    throw cause
  }
}

/** Returns the archive; equal homes give equal bytes. Fails with the error of the storage, or with `io` if packing fails. */
export const exportHome = async (storage: StorageBackend): Promise<Result<Uint8Array>> => {
  const collected = await collectExport(storage)
  if (!collected.ok) return collected
  try {
    return ok(await pack(await toManifest(collected.value), collected.value.contents))
  } catch (cause) {
    return err(new HermesError('io', `The export could not be packed: ${String(cause)}. Try again.`, { cause }))
  }
}
