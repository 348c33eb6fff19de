/** Writes a tar archive, compressed on the way, so that no uncompressed one is ever held as a whole. Runs on every platform with web streams. */
import { toPlainBytes } from '../../shared/sha256.ts'
import type { DocumentContent } from '../../storage/storage-backend.ts'

/** One archive on the way; files one after the other. */
export interface ArchiveWriter {
  /** A regular file; `path` is relative with `/` between its parts. */
  add(path: string, content: DocumentContent): Promise<void>
  /** The whole archive. */
  finish(): Promise<Uint8Array>
  /** Gives up and lets go of what is held. */
  abandon(): Promise<void>
}

// As private as the documents themselves.
const FILE_MODE = 0o600
const EXECUTABLE_MODE = 0o700

/** `at`: epoch milliseconds, the time every file in it carries. */
export const createArchiveWriter = async (at: number): Promise<ArchiveWriter> => {
  // Loaded late: only a backup needs it, and it exists as an ES module alone, which a CommonJS program can only import.
  const { createTarPacker } = await import('modern-tar')
  const { readable, controller } = createTarPacker()
  const packed = new Response(readable.pipeThrough(new CompressionStream('gzip'))).arrayBuffer()
  // Heard in `finish`; until then nobody else listens.
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
