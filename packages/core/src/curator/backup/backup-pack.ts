/**
 * Writes a compressed tar archive as a stream, so that the uncompressed archive is never in memory as a whole. Works on every platform
 * with web streams.
 */
import { toPlainBytes } from '../../shared/sha256.ts'
import type { DocumentContent } from '../../storage/storage-backend.ts'

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

/** `at`: the time stamp of every file, epoch milliseconds. */
export const createArchiveWriter = async (at: number): Promise<ArchiveWriter> => {
  // Imported lazily: only backups need it. It is an ES module only, so a CommonJS program has to use `import()`.
  const { createTarPacker } = await import('modern-tar')
  const { readable, controller } = createTarPacker()
  const packed = new Response(readable.pipeThrough(new CompressionStream('gzip'))).arrayBuffer()
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
