/** The promises of the port, with either kind of lock. */
import { fileBackend } from '../../src/storage/next/files/file-backend.ts'
import { storageConformance } from '../../src/testing/storage-conformance.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'

for (const lock of ['flock', 'file'] as const)
  storageConformance(
    `fileBackend with a lock of kind '${lock}'`,
    async () => {
      const home = temporaryFolder()
      return { open: async () => fileBackend(home, { lock }), dispose: async () => undefined }
    },
    { processes: false },
  )
