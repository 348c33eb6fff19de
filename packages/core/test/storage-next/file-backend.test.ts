import { fileBackend } from '../../src/storage/next/files/file-backend.ts'
import { updateConformance } from '../../src/testing/update-conformance.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'

updateConformance('fileBackend', async () => {
  const home = temporaryFolder()
  return { open: async () => fileBackend(home), dispose: async () => undefined }
})
