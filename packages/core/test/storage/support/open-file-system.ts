/** The module that the conformance suite's processes open the file system back end with. */
import { type FileSystemBackendOptions, fileSystemBackend } from '../../../src/storage/backends/file-system/index.ts'
import type { StorageBackend } from '../../../src/storage/storage-backend.ts'

export const open = async ({ home, ...options }: { home: string } & FileSystemBackendOptions): Promise<StorageBackend> =>
  fileSystemBackend(home, { ...options, onWarning: () => undefined })
