import { updateConformance } from '../../testing/update-conformance.ts'
import { inMemoryBackend } from './in-memory.ts'
import type { StoredDocument } from './storage-backend.ts'

updateConformance('inMemoryBackend', async () => {
  const documents = new Map<string, StoredDocument>()
  return { open: async () => inMemoryBackend(documents), dispose: async () => undefined }
})
