/** The usage sidecar: a map from skill name to record, shared with Python Hermes (reference skills-curator 4). */
import { LIBRARY_LIMITS, parseBoundedJson } from '../shared/bounded-json.ts'
import { equalBytes } from '../shared/equal-bytes.ts'
import { fingerprintOfBytes } from '../shared/fingerprint.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { Cut, StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import { USAGE_PATH } from '../storage/storage-paths.ts'
import { parsePythonJson, toPythonJson } from './python-json.ts'

export { USAGE_PATH }

/** Corrupt sidecars, set aside so that counting can continue. While one exists, its pins and marks are unknown, and nothing may decide about skills (DESIGN 3). */
export const CORRUPT_USAGE_FOLDER = 'skills/.usage-corrupt'

/** Entries of any shape: those that are not records are kept. */
export type UsageSidecar = ReadonlyMap<string, unknown>

const corrupt = (why: string, cause?: unknown): HermesError =>
  new HermesError('unreadable', `'${USAGE_PATH}' ${why}. Its pins and marks cannot be read: repair it, or move it away to start afresh.`, {
    cause,
    details: { path: USAGE_PATH },
  })

/** `unreadable` if it is not a UTF-8 JSON object or beyond a limit; a missing document is an empty map. */
export const decodeSidecar = (document: StoredDocument | undefined): Result<UsageSidecar> => {
  if (!document) return ok(new Map())
  const parsed = parseBoundedJson(document.bytes, LIBRARY_LIMITS, parsePythonJson)
  if (!parsed.ok) return err(corrupt(parsed.error.message, parsed.error))
  const data = parsed.value
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return err(corrupt('does not contain a map of skills'))
  return ok(new Map(Object.entries(data)))
}

/** Keeps the last one that it has decoded, so that the same bytes are not parsed again. */
export interface SidecarDecoder {
  decode(document: StoredDocument | undefined): Result<UsageSidecar>
  /** The bytes that an update puts, so that the next one need not parse them. */
  encode(sidecar: UsageSidecar): Uint8Array
}

export const createSidecarDecoder = (): SidecarDecoder => {
  let last: { readonly bytes: Uint8Array; readonly sidecar: Result<UsageSidecar> } | undefined
  return {
    decode: (document) => {
      if (!document) return decodeSidecar(document)
      if (!last || !equalBytes(last.bytes, document.bytes)) last = { bytes: document.bytes, sidecar: decodeSidecar(document) }
      return last.sidecar
    },
    encode: (sidecar) => {
      const bytes = encodeSidecar(sidecar)
      last = { bytes, sidecar: ok(sidecar) }
      return bytes
    },
  }
}

export const encodeSidecar = (sidecar: UsageSidecar): Uint8Array => new TextEncoder().encode(toPythonJson(sidecar))

/** `unreadable` while a corrupt sidecar is set aside. `cut`: names the folder. */
export const problemOfAside = (cut: Cut): HermesError | undefined => {
  const aside = cut.list(`${CORRUPT_USAGE_FOLDER}/`).map(({ path }) => path)
  if (aside.length === 0) return undefined
  const message = `'${USAGE_PATH}' was corrupt and is kept as '${aside[0]}': its pins and marks are unknown. Copy what you need back into '${USAGE_PATH}', then delete '${CORRUPT_USAGE_FOLDER}'.`
  return new HermesError('unreadable', message, { details: { path: USAGE_PATH, keptAside: aside } })
}

/** What an update names that counts uses or changes marks. */
export const USAGE_PATHS = [USAGE_PATH, `${CORRUPT_USAGE_FOLDER}/`] as const

/** The same for a storage of its own, such as a transaction. */
export const checkNothingAside = async (storage: StorageBackend): Promise<Result<void>> => {
  const cut = await storage.read([`${CORRUPT_USAGE_FOLDER}/`])
  const problem = cut.ok ? problemOfAside(cut.value) : cut.error
  return problem ? err(problem) : ok(undefined)
}

/** A free path for a corrupt sidecar. `cut`: names the folder. */
const asidePath = (cut: Cut, { bytes }: StoredDocument): string => {
  const taken = new Set(cut.list(`${CORRUPT_USAGE_FOLDER}/`).map(({ path }) => path))
  const name = `${CORRUPT_USAGE_FOLDER}/${fingerprintOfBytes(bytes)}`
  for (let path = `${name}.json`, serial = 2; ; path = `${name}-${serial++}.json`) if (!taken.has(path)) return path
}

/** What a change makes of the sidecar; the same map if nothing is to be written. */
export interface SidecarChange<T> {
  readonly sidecar: UsageSidecar
  readonly value: T
}

export interface PlannedSidecar<T> {
  readonly put: Readonly<Record<string, Uint8Array | StoredDocument>>
  readonly value: T
  /** The sidecar was corrupt and is set aside: to be told once it is written. */
  readonly aside: HermesError | undefined
}

/** A change of the sidecar, for a plan that names `USAGE_PATHS`. `count`: sets a corrupt one aside. `decide`: throws `unreadable` if a pin or mark could be lost. */
export const planSidecar = <T>(
  cut: Cut,
  decoder: SidecarDecoder,
  purpose: 'count' | 'decide',
  change: (sidecar: UsageSidecar) => SidecarChange<T>,
): PlannedSidecar<T> => {
  const document = cut.document(USAGE_PATH)
  const decoded = decoder.decode(document)
  const problem = purpose === 'count' ? undefined : (problemOfAside(cut) ?? (decoded.ok ? undefined : decoded.error))
  if (problem) throw problem
  const current: UsageSidecar = decoded.ok ? decoded.value : new Map()
  const { sidecar, value } = change(current)
  if (sidecar === current) return { put: {}, value, aside: undefined }
  const put = { [USAGE_PATH]: decoder.encode(sidecar) }
  if (!document || decoded.ok) return { put, value, aside: undefined }
  const path = asidePath(cut, document)
  const message = `${decoded.error.message} A copy is kept as '${path}'.`
  const details = { path: USAGE_PATH, keptAside: [path] }
  return { put: { ...put, [path]: document }, value, aside: new HermesError('unreadable', message, { cause: decoded.error, details }) }
}
