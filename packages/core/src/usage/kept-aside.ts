/**
 * Corrupt sidecars, kept aside so that counting can go on. As long as one is there, its pins and marks are not settled, and nothing may
 * decide about skills (DESIGN 3).
 */
import { fingerprint } from '../shared/fingerprint.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { type StorageBackend, UNCHANGED } from '../storage/storage-backend.ts'
import { USAGE_PATH } from './usage-sidecar.ts'

export const CORRUPT_USAGE_FOLDER = 'skills/.usage-corrupt'

const MAX_NAMES_TRIED = 100

const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, index) => byte === b[index])

/** One character for each byte, so that bytes which are no text keep their difference. */
const toText = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes)

/** The path of a copy with exactly these bytes. Named by content: processes that find the same file keep one copy; none overwrites another. */
export const keepAside = async (storage: StorageBackend, bytes: Uint8Array): Promise<Result<string>> => {
  const name = fingerprint(toText(bytes))
  for (let serial = 1; serial <= MAX_NAMES_TRIED; serial++) {
    const path = `${CORRUPT_USAGE_FOLDER}/${name}${serial === 1 ? '' : `-${serial}`}.json`
    const kept = await storage.update(path, (current) => (current === undefined ? bytes : UNCHANGED))
    if (!kept.ok) return kept
    if (kept.value && equalBytes(kept.value.bytes, bytes)) return ok(path)
  }
  return err(new HermesError('occupied', `No free name for a copy of '${USAGE_PATH}' in '${CORRUPT_USAGE_FOLDER}'. Clear that folder.`))
}

/** `unreadable` while a corrupt sidecar lies aside. */
export const checkNothingAside = async (storage: StorageBackend): Promise<Result<void>> => {
  const listed = await storage.list(CORRUPT_USAGE_FOLDER)
  if (!listed.ok) return listed
  const [first] = listed.value
  if (!first) return ok(undefined)
  return err(
    new HermesError(
      'unreadable',
      `'${USAGE_PATH}' was corrupt and is kept as '${first.path}': its pins and marks are not known. Bring what you need back into '${USAGE_PATH}', then delete '${CORRUPT_USAGE_FOLDER}'.`,
      { details: { path: USAGE_PATH, keptAside: listed.value.map(({ path }) => path) } },
    ),
  )
}
