/** Opens the file system back end in the processes of the conformance suite. */

import { fileSystemBackend } from '../../../src/storage/files/file-backend.ts'
import type { FileSystemBackendOptions } from '../../../src/storage/files/file-system-options.ts'
import type { StorageBackend } from '../../../src/storage/storage-backend.ts'

export const open = async ({ home, ...options }: { home: string } & FileSystemBackendOptions): Promise<StorageBackend> =>
  fileSystemBackend(home, { ...options, onWarning: () => undefined })
