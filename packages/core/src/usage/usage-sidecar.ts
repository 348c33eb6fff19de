/** The usage sidecar: a map from skill name to record, shared with Python Hermes (reference skills-curator 4). */

import { LIBRARY_LIMITS, parseBoundedJson } from '../shared/bounded-json.ts'
import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { StoredDocument } from '../storage/storage-backend.ts'
import { USAGE_PATH } from '../storage/storage-paths.ts'
import { parsePythonJson, toPythonJson } from './python-json.ts'

export { USAGE_PATH }

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
export type SidecarDecoder = typeof decodeSidecar

export const createSidecarDecoder = (): SidecarDecoder => {
  let last: { readonly bytes: Uint8Array; readonly sidecar: Result<UsageSidecar> } | undefined
  return (document) => {
    if (!document) return decodeSidecar(document)
    if (!last || !equalBytes(last.bytes, document.bytes)) last = { bytes: document.bytes, sidecar: decodeSidecar(document) }
    return last.sidecar
  }
}

export const encodeSidecar = (sidecar: UsageSidecar): Uint8Array => new TextEncoder().encode(toPythonJson(sidecar))
