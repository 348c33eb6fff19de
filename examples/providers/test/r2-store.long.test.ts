/** All promises of a storage on R2. */
import { packedBackend } from '@hermes/core/storage'
import { storageConformance } from '@hermes/testing'
import { afterAll } from 'vitest'
import { r2Store } from '../src/r2-store.ts'
import { openBucket } from './support/r2-bucket.ts'

const { bucket, close } = await openBucket()
afterAll(close)

let homes = 0

storageConformance(
  'packedBackend on R2',
  async () => {
    const key = `homes/${++homes}`
    return { open: async () => packedBackend(r2Store(bucket), { key, timeoutMs: 60_000 }), dispose: async () => undefined }
  },
  { processes: false },
)
