/** Opens the file system back end in the processes of the conformance suite. */
import { type FileSystemBackendOptions, fileSystemBackend } from '../../../src/storage/files/index.ts'
import type { StorageBackend } from '../../../src/storage/storage-backend.ts'

export const open = async ({ home, ...options }: { home: string } & FileSystemBackendOptions): Promise<StorageBackend> =>
  fileSystemBackend(home, { ...options, onWarning: () => undefined })
