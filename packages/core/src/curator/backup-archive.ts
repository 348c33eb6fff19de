/**
 * The compressed tar archive of a backup or an export: written as a stream, so that it is never in memory uncompressed, and read without trusting it: size, member
 * types, paths and bytes are checked. Works on every platform with web streams.
 */
import type { ParsedTarEntryWithData } from 'modern-tar'
import { HermesError, messageOf } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { sha256Of, toPlainBytes } from '../shared/sha256.ts'
import type { DocumentContent } from '../storage/storage-backend.ts'
import type { BackupFile } from './backup-manifest.ts'
import { LARGEST_BACKUP_BYTES } from './curator-options.ts'

/** An archive being written. Add one file at a time. */
export interface ArchiveWriter {
  /** Adds a regular file; `path` is relative, with `/` as the separator. */
  add(path: string, content: DocumentContent): Promise<void>
  /** The complete archive. */
  finish(): Promise<Uint8Array>
  /** Cancels and releases the streams. */
  abandon(): Promise<void>
}

// Owner only, like the documents themselves.
const FILE_MODE = 0o600
const EXECUTABLE_MODE = 0o700

/** Bytes that are compressed in one call, each of which waits for a thread. A file has three chunks of a few hundred bytes to a few thousand. */
const CHUNK_BYTES = 262_144

/** Joins small chunks. */
const inLargeChunks = (): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> => {
  let chunk = new Uint8Array(CHUNK_BYTES)
  let used = 0
  return new TransformStream({
    transform(bytes, controller) {
      for (let at = 0; at < bytes.length; ) {
        const part = bytes.subarray(at, at + CHUNK_BYTES - used)
        chunk.set(part, used)
        used += part.length
        at += part.length
        if (used < CHUNK_BYTES) continue
        controller.enqueue(chunk)
        chunk = new Uint8Array(CHUNK_BYTES)
        used = 0
      }
    },
    flush: (controller) => controller.enqueue(chunk.subarray(0, used)),
  })
}

/** `at`: the time stamp of every file, epoch milliseconds. */
export const createArchiveWriter = async (at: number): Promise<ArchiveWriter> => {
  // Imported lazily: only backups need it. It is an ES module only, so a CommonJS program has to use `import()`.
  const { createTarPacker } = await import('modern-tar')
  const { readable, controller } = createTarPacker()
  const packed = new Response(readable.pipeThrough(inLargeChunks()).pipeThrough(new CompressionStream('gzip'))).arrayBuffer()
  // `finish` awaits it; this avoids an unhandled rejection before that.
  packed.catch(() => undefined)
  return {
    add: async (path, { bytes, executable }) => {
      const mode = executable ? EXECUTABLE_MODE : FILE_MODE
      const body = controller.add({ name: path, size: bytes.length, type: 'file', mode, mtime: new Date(at) }).getWriter()
      if (bytes.length > 0) await body.write(toPlainBytes(bytes))
      await body.close()
    },
    finish: async () => {
      controller.finalize()
      return new Uint8Array(await packed)
    },
    abandon: async () => {
      controller.error(new Error('The archive was abandoned.'))
      await packed.catch(() => undefined)
    },
  }
}

/** Keyed by document path, in the order of the archive. */
export type BackupContents = ReadonlyMap<string, Required<DocumentContent>>

/** Maximum bytes of the header, long name and padding of one member. */
export const MEMBER_OVERHEAD = 8_192
/** Maximum bytes at the end of an archive. */
export const ARCHIVE_OVERHEAD = 65_536

const broken = (why: string, cause?: unknown): HermesError => new HermesError('unreadable', why, { cause })

/** Thrown by the stream of `decompress` beyond its limit. */
export class UnpacksToTooMuch extends Error {}

/**
 * The stream fails with `UnpacksToTooMuch` beyond `limit()` bytes, and with the platform's error if the data is not gzip or is truncated.
 */
export const decompress = (archive: Uint8Array, limit: () => number): ReadableStream<Uint8Array> => {
  let total = 0
  const limited = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      total += chunk.length
      if (total > limit()) controller.error(new UnpacksToTooMuch())
      else controller.enqueue(chunk)
    },
  })
  return new Blob([toPlainBytes(archive)]).stream().pipeThrough(new DecompressionStream('gzip')).pipeThrough(limited)
}

const checkMember = async (
  file: BackupFile | undefined,
  name: string,
  type: string | undefined,
  data: Uint8Array | undefined,
): Promise<Result<Uint8Array>> => {
  const shown = `'${name.slice(0, 200)}'`
  if (type !== 'file' || !data) return err(broken(`its member ${shown} is not a regular file but a ${type ?? 'member of unknown type'}`))
  // Absolute paths and `..` end here too: no manifest can hold them.
  if (!file) return err(broken(`its member ${shown} is not listed in its manifest`))
  if (data.length !== file.size) return err(broken(`its member ${shown} has ${data.length} bytes instead of ${file.size}`))
  return (await sha256Of(data)) === file.sha256 ? ok(data) : err(broken(`its member ${shown} has changed since the backup`))
}

/** All files of the list and nothing else; otherwise `unreadable` with a clause that says what is wrong. */
export const unpackArchive = async (archive: Uint8Array, files: readonly BackupFile[]): Promise<Result<BackupContents>> => {
  const expected = new Map(files.map((file) => [file.path, file]))
  const declared = files.reduce((sum, { size }) => sum + size, 0)
  if (declared > LARGEST_BACKUP_BYTES) {
    return err(broken(`its manifest declares ${declared} bytes, but at most ${LARGEST_BACKUP_BYTES} are unpacked`))
  }
  const limit = declared + files.length * MEMBER_OVERHEAD + ARCHIVE_OVERHEAD
  // Imported lazily: only a rollback needs it. It is an ES module only, so a CommonJS program has to use `import()`.
  const { unpackTar } = await import('modern-tar')
  let members: readonly ParsedTarEntryWithData[]
  try {
    members = await unpackTar(
      decompress(archive, () => limit),
      { strict: true },
    )
  } catch (cause) {
    if (cause instanceof UnpacksToTooMuch) return err(broken('it unpacks to more than its manifest says', cause))
    return err(broken(`it cannot be unpacked (${messageOf(cause)})`, cause))
  }
  if (new Set(members.map(({ header }) => header.name)).size !== members.length) return err(broken('it contains a member twice'))
  const contents = new Map<string, Required<DocumentContent>>()
  for (const { header, data } of members) {
    const bytes = await checkMember(expected.get(header.name), header.name, header.type, data)
    if (!bytes.ok) return bytes
    contents.set(header.name, { bytes: bytes.value, executable: expected.get(header.name)?.executable ?? false })
  }
  const missing = files.find(({ path }) => !contents.has(path))
  return missing ? err(broken(`its file '${missing.path}' is missing`)) : ok(contents)
}
