/** Reads an untrusted archive into memory. Sizes, member types, paths and hashes are checked before anything is imported. */
import type { ParsedTarEntry } from 'modern-tar'
import { ARCHIVE_OVERHEAD, decompress, MEMBER_OVERHEAD, UnpacksToTooMuch } from '../curator/backup-archive.ts'
import { LIBRARY_LIMITS, parseBoundedJson } from '../shared/bounded-json.ts'
import { checkShape } from '../shared/check-shape.ts'
import { HermesError, type HermesErrorCode, messageOf } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { sha256Of } from '../shared/sha256.ts'
import type { DocumentContent } from '../storage/storage-backend.ts'
import {
  EXPORT_MANIFEST,
  EXPORT_VERSION,
  type ExportFile,
  type ExportManifest,
  exportManifestSchema,
  exportVersionSchema,
  LARGEST_EXPORT_BYTES,
} from './export-manifest.ts'

export interface OpenExport {
  readonly manifest: ExportManifest
  /** Documents by path, in the order of the archive. */
  readonly contents: ReadonlyMap<string, DocumentContent>
}

/** Bytes that may be unpacked before the manifest is read: the manifest and the read-ahead of the decoder. */
const MANIFEST_ROOM = LIBRARY_LIMITS.maxBytes + 4 * 1024 * 1024

const refusal = (why: string, code: HermesErrorCode = 'unreadable', cause?: unknown): HermesError =>
  new HermesError(code, `The archive was not imported, and nothing was written: ${why}.`, { cause })

const shown = (name: string): string => `'${name.slice(0, 200)}'`

const readManifest = (bytes: Uint8Array): ExportManifest => {
  const data = parseBoundedJson(bytes, LIBRARY_LIMITS)
  if (!data.ok) throw refusal(`its '${EXPORT_MANIFEST}' ${data.error.message}`)
  const version = exportVersionSchema.safeParse(data.value)
  if (!version.success) throw refusal(`its '${EXPORT_MANIFEST}' is not the manifest of a Hermes export`)
  if (version.data.version > EXPORT_VERSION)
    throw refusal(
      `it has format ${version.data.version}, but this version of Hermes supports formats up to ${EXPORT_VERSION}. Update Hermes, then try again`,
    )
  const manifest = checkShape(exportManifestSchema, data.value)
  if (!manifest.success) {
    const [issue] = manifest.error.issues
    throw refusal(`its '${EXPORT_MANIFEST}' is wrong at '${issue?.path.join('.') ?? ''}' (${issue?.message ?? 'unknown reason'})`)
  }
  const { files } = manifest.data
  if (new Set(files.map(({ path }) => path)).size !== files.length) throw refusal(`its '${EXPORT_MANIFEST}' names a file twice`)
  const declared = files.reduce((sum, { size }) => sum + size, 0)
  if (declared > LARGEST_EXPORT_BYTES)
    throw refusal(`it has ${declared} bytes, but at most ${LARGEST_EXPORT_BYTES} are imported`, 'over_limit')
  return manifest.data
}

/** `undefined` if the file does not have this size. */
const readBody = async ({ header, body }: ParsedTarEntry, size: number): Promise<Uint8Array | undefined> => {
  const bytes = new Uint8Array(await new Response(body).arrayBuffer())
  return bytes.length === size && header.size === size ? bytes : undefined
}

const readFirst = async (entry: ParsedTarEntry | undefined): Promise<ExportManifest> => {
  if (entry?.header.name !== EXPORT_MANIFEST || entry.header.type !== 'file')
    throw refusal(`it is not a Hermes export, which begins with '${EXPORT_MANIFEST}'`)
  if (entry.header.size > LIBRARY_LIMITS.maxBytes)
    throw refusal(`its '${EXPORT_MANIFEST}' is larger than ${LIBRARY_LIMITS.maxBytes} bytes`, 'over_limit')
  const bytes = await readBody(entry, entry.header.size)
  if (!bytes) throw refusal(`its '${EXPORT_MANIFEST}' is truncated`)
  return readManifest(bytes)
}

const readFile = async (entry: ParsedTarEntry, file: ExportFile | undefined): Promise<DocumentContent> => {
  const { name, type, size } = entry.header
  if (type !== 'file') throw refusal(`its member ${shown(name)} is not a regular file but a ${type ?? 'member of unknown type'}`)
  // A manifest cannot name absolute paths, paths with `..`, or devices.
  if (!file) throw refusal(`its member ${shown(name)} is not listed in its '${EXPORT_MANIFEST}'`)
  if (size !== file.size) throw refusal(`its member ${shown(name)} has ${size} bytes instead of ${file.size}`)
  const bytes = await readBody(entry, file.size)
  if (!bytes) throw refusal(`its member ${shown(name)} is truncated`)
  if ((await sha256Of(bytes)) !== file.sha256) throw refusal(`its member ${shown(name)} was changed since the export`)
  return { bytes, executable: file.executable ?? false }
}

const readEntries = async (
  entries: ReadableStreamDefaultReader<ParsedTarEntry>,
  raiseLimit: (bytes: number) => void,
): Promise<OpenExport> => {
  const manifest = await readFirst((await entries.read()).value)
  const { files } = manifest
  const expected = new Map(files.map((file) => [file.path, file]))
  raiseLimit(files.reduce((sum, { size }) => sum + size + MEMBER_OVERHEAD, MANIFEST_ROOM + ARCHIVE_OVERHEAD))
  const contents = new Map<string, DocumentContent>()
  for (;;) {
    const { done, value: entry } = await entries.read()
    if (done) break
    const { name } = entry.header
    if (contents.has(name)) throw refusal(`it contains its member ${shown(name)} twice`)
    contents.set(name, await readFile(entry, expected.get(name)))
  }
  const missing = files.find(({ path }) => !contents.has(path))
  if (missing) throw refusal(`its file ${shown(missing.path)} is missing`)
  return { manifest, contents }
}

/** Fails with `unreadable` for an archive that is damaged, foreign or of a newer version, `over_limit` if it is too large. Nothing is written. */
export const openExport = async (archive: Uint8Array): Promise<Result<OpenExport>> => {
  if (!(archive instanceof Uint8Array))
    return err(refusal(`an archive is a Uint8Array, but a value of type ${typeof archive} was passed`, 'invalid'))
  let limit = MANIFEST_ROOM
  // Imported dynamically: the package is an ES module only, which CommonJS cannot require.
  const { createTarDecoder } = await import('modern-tar')
  const entries = decompress(archive, () => limit)
    .pipeThrough(createTarDecoder({ strict: true }))
    .getReader()
  try {
    const opened = await readEntries(entries, (bytes) => {
      limit = bytes
    })
    return ok(opened)
  } catch (cause) {
    if (HermesError.isInstance(cause)) return err(cause)
    if (cause instanceof UnpacksToTooMuch) return err(refusal('it unpacks to more bytes than allowed', 'over_limit', cause))
    const why = messageOf(cause)
    return err(refusal(`it is not a complete .tar.gz file (${why})`, 'unreadable', cause))
  } finally {
    // Stops unpacking; after a failure there is nothing left to cancel.
    await entries.cancel().catch(() => undefined)
  }
}

/** The manifest of an archive, returned after all files were checked against it. */
export const readExportManifest = async (archive: Uint8Array): Promise<Result<ExportManifest>> => {
  const opened = await openExport(archive)
  return opened.ok ? ok(opened.value.manifest) : opened
}
