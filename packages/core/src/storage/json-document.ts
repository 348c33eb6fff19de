/** A JSON document behind the storage port, checked with a zod schema on read and write. */

import type { ZodMiniType } from 'zod/mini'
import { DOCUMENT_LIMITS, type JsonLimits, LIBRARY_LIMITS, parseBoundedJson } from '../shared/bounded-json.ts'
import { checkShape } from '../shared/check-shape.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { jsonBytesWithin } from './json-bytes.ts'
import { orError, readDocument, UNCHANGED, updateDocument } from './one-document.ts'
import type { Cut, StorageBackend, StoredDocument } from './storage-backend.ts'

/** A schema with its own limits. */
export interface LimitedSchema<T> {
  readonly schema: ZodMiniType<T>
  readonly limits: JsonLimits
}

/** The schema of a document; without its own limits it has `DOCUMENT_LIMITS`. */
export type DocumentSchema<T> = ZodMiniType<T> | LimitedSchema<T>

/** For a document that grows with the library. */
export const libraryDocument = <T>(schema: ZodMiniType<T>): LimitedSchema<T> => ({ schema, limits: LIBRARY_LIMITS })

const withLimits = <T>(schema: DocumentSchema<T>): LimitedSchema<T> => ('limits' in schema ? schema : { schema, limits: DOCUMENT_LIMITS })

const REPAIR = 'repair it, or move it away to start afresh'

const unreadable = (path: string, why: string, cause?: unknown, help = REPAIR): HermesError =>
  new HermesError('unreadable', `'${path}' ${why}. It is left as it is: ${help}.`, {
    cause,
    // A clause, for callers that write their own message.
    details: { path, why },
  })

/** A document of a cut, for a plan; undefined if there is none. Throws a HermesError, `unreadable`, as `readJsonDocument` fails. */
export const jsonIn = <T>(cut: Cut, path: string, schema: DocumentSchema<T>): T | undefined =>
  parse(path, cut.document(path), withLimits(schema))

const parse = <T>(path: string, document: StoredDocument | undefined, { schema, limits }: LimitedSchema<T>): T | undefined => {
  if (!document) return undefined
  const data = parseBoundedJson(document.bytes, limits)
  if (!data.ok) throw unreadable(path, data.error.message, data.error)
  const parsed = checkShape(schema, data.value)
  if (parsed.success) return parsed.data
  const version = Number(Object(data.value).version)
  if (version > 1 && parsed.error.issues.some(({ path: [field] }) => field === 'version'))
    throw unreadable(
      path,
      `was written by a newer version of the library (version ${version} of the document)`,
      parsed.error,
      'update @hermes/core in this program',
    )
  const [issue] = parsed.error.issues
  const where = issue && issue.path.length > 0 ? ` at '${issue.path.join('.')}'` : ''
  throw unreadable(path, `does not have the expected shape${where} (${issue?.message ?? 'unknown reason'})`, parsed.error)
}

/** The same, but undefined also for a document that cannot be read. */
export const readableJsonIn = <T>(cut: Cut, path: string, schema: DocumentSchema<T>): T | undefined => {
  try {
    return jsonIn(cut, path, schema)
  } catch (cause) {
    if (HermesError.isInstance(cause)) return undefined
    throw cause
  }
}

/** The bytes of a document, for a plan. Throws a HermesError, `over_limit`, for a value that could not be read back. */
export const jsonBytes = <T>(path: string, value: T, documentSchema: DocumentSchema<T>): Uint8Array => {
  const { schema, limits } = withLimits(documentSchema)
  const bytes = jsonBytesWithin(path, value, limits)
  const checked = checkShape(schema, value)
  if (!checked.success) throw new TypeError(`The new content of '${path}' does not match its schema.`, { cause: checked.error })
  return bytes
}

/** `undefined` if there is no document; `unreadable` if it is corrupt, of another shape, or beyond a limit. */
export const readJsonDocument = <T>(storage: StorageBackend, path: string, schema: DocumentSchema<T>): Promise<Result<T | undefined>> =>
  orError(async () => {
    const document = await readDocument(storage, path)
    return document.ok ? ok(parse(path, document.value, withLimits(schema))) : document
  })

/**
 * Atomic read-modify-write; `change` returns the next value, `undefined` to remove the document, or `UNCHANGED`. It must be pure: it may
 * run more than once. A corrupt document is `unreadable` and not changed; a value beyond a limit is not written (`over_limit`). The
 * schema must accept what is written (no transforms).
 */
export const updateJsonDocument = async <T>(
  storage: Pick<StorageBackend, 'update'>,
  path: string,
  schema: DocumentSchema<T>,
  change: (current: T | undefined) => T | undefined | typeof UNCHANGED,
): Promise<Result<T | undefined>> => {
  let value: T | undefined
  const updated = await updateDocument(storage, path, (document) => {
    value = parse(path, document, withLimits(schema))
    const next = change(value)
    if (next === UNCHANGED) return UNCHANGED
    value = next
    return next === undefined ? undefined : jsonBytes(path, next, schema)
  })
  return updated.ok ? ok(value) : updated
}
