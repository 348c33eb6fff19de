/** The promises of the port, with either kind of lock. */
import { FileBackend } from '../../src/storage/files/file-backend.ts'
import { updateConformance } from '../../src/testing/update-conformance.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'

for (const lock of ['auto', 'exclusive-file'] as const)
  updateConformance(`fileBackend with the lock '${lock}'`, async () => {
    const home = temporaryFolder()
    return { open: async () => new FileBackend(home, { lock }), dispose: async () => undefined }
  })
