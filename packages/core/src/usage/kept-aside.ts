/**
 * Corrupt sidecars, set aside so that counting can continue. While one exists, its pins and marks are unknown, and nothing may decide
 * about skills (DESIGN 3).
 */

import { fingerprintOfBytes } from '../shared/fingerprint.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { keepCopy } from '../storage/keep-copy.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { USAGE_PATH } from './usage-sidecar.ts'

export const CORRUPT_USAGE_FOLDER = 'skills/.usage-corrupt'

/** Returns the path of a copy with exactly these bytes; processes that find the same file keep one copy. */
export const keepAside = (storage: StorageBackend, bytes: Uint8Array): Promise<Result<string>> => {
  const name = fingerprintOfBytes(bytes)
  return keepCopy(storage, { bytes }, (serial) => `${CORRUPT_USAGE_FOLDER}/${name}${serial === 1 ? '' : `-${serial}`}.json`, USAGE_PATH)
}

/** `unreadable` while a corrupt sidecar is set aside. */
export const checkNothingAside = async (storage: StorageBackend): Promise<Result<void>> => {
  const listed = await storage.list(CORRUPT_USAGE_FOLDER)
  if (!listed.ok) return listed
  const [first] = listed.value
  if (!first) return ok(undefined)
  return err(
    new HermesError(
      'unreadable',
      `'${USAGE_PATH}' was corrupt and is kept as '${first.path}': its pins and marks are unknown. Copy what you need back into '${USAGE_PATH}', then delete '${CORRUPT_USAGE_FOLDER}'.`,
      { details: { path: USAGE_PATH, keptAside: listed.value.map(({ path }) => path) } },
    ),
  )
}
