/** A JSON document behind the storage port, checked with a zod schema on read and write. */

import type { ZodMiniType } from 'zod/mini'
import { DOCUMENT_LIMITS, type JsonLimits, LIBRARY_LIMITS, parseBoundedJson, whyBeyond } from '../shared/bounded-json.ts'
import { canonicalJson } from '../shared/canonical-json.ts'
import { checkShape } from '../shared/check-shape.ts'
import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { readDocument, UNCHANGED, updateDocument } from './one-document.ts'
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

/**
 * Keeps the last value of one document of one storage, so that the same bytes are not parsed again. Whoever passes it must not change
 * values in place.
 */
export interface LastValue<T> {
  known?: { readonly bytes: Uint8Array; readonly value: T } | undefined
}

const remember = <T>(last: LastValue<T> | undefined, document: StoredDocument | undefined, value: T | undefined): void => {
  if (last && document && value !== undefined) last.known = { bytes: document.bytes, value }
}

const unreadable = (path: string, why: string, cause?: unknown): HermesError =>
  new HermesError('unreadable', `'${path}' ${why}. It is left as it is: repair it, or move it away to start afresh.`, {
    cause,
    // A clause, for callers that write their own message.
    details: { path, why },
  })

const parse = <T>(
  path: string,
  document: StoredDocument | undefined,
  { schema, limits }: LimitedSchema<T>,
  last?: LastValue<T>,
): Result<T | undefined> => {
  if (!document) return ok(undefined)
  if (last?.known && equalBytes(last.known.bytes, document.bytes)) return ok(last.known.value)
  const data = parseBoundedJson(document.bytes, limits)
  if (!data.ok) return err(unreadable(path, data.error.message, data.error))
  const parsed = checkShape(schema, data.value)
  if (parsed.success) {
    remember(last, document, parsed.data)
    return ok(parsed.data)
  }
  const [issue] = parsed.error.issues
  const where = issue && issue.path.length > 0 ? ` at '${issue.path.join('.')}'` : ''
  return err(unreadable(path, `does not have the expected shape${where} (${issue?.message ?? 'unknown reason'})`, parsed.error))
}

const encoder = new TextEncoder()

/** `over_limit` for a value that could not be read back; it must not be written. */
const encode = <T>(path: string, value: T, { schema, limits }: LimitedSchema<T>): Result<Uint8Array> => {
  const bytes = encoder.encode(canonicalJson(value))
  const beyond = whyBeyond(bytes, limits)
  if (beyond !== undefined) {
    const message = `'${path}' was left unchanged: its new content ${beyond}. Make it smaller, then try again.`
    return err(new HermesError('over_limit', message, { details: { path } }))
  }
  const checked = checkShape(schema, value)
  if (!checked.success) throw new TypeError(`The new content of '${path}' does not match its schema.`, { cause: checked.error })
  return ok(bytes)
}

/** A document of a cut, for a plan; undefined if there is none. Throws a HermesError, `unreadable`, as `readJsonDocument` fails. */
export const jsonIn = <T>(cut: Cut, path: string, schema: DocumentSchema<T>): T | undefined => {
  const parsed = parse(path, cut.document(path), withLimits(schema))
  if (!parsed.ok) throw parsed.error
  return parsed.value
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

/** The bytes of a document, for a plan. Throws a HermesError, `over_limit`, as `updateJsonDocument` fails. */
export const jsonBytes = <T>(path: string, value: T, schema: DocumentSchema<T>): Uint8Array => {
  const bytes = encode(path, value, withLimits(schema))
  if (!bytes.ok) throw bytes.error
  return bytes.value
}

/** `undefined` if there is no document; `unreadable` if it is corrupt, of another shape, or beyond a limit. */
export const readJsonDocument = async <T>(
  storage: StorageBackend,
  path: string,
  schema: DocumentSchema<T>,
  last?: LastValue<T>,
): Promise<Result<T | undefined>> => {
  const document = await readDocument(storage, path)
  return document.ok ? parse(path, document.value, withLimits(schema), last) : document
}

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
  last?: LastValue<T>,
): Promise<Result<T | undefined>> => {
  const limited = withLimits(schema)
  let outcome: Result<T | undefined> = ok(undefined)
  const updated = await updateDocument(storage, path, (document) => {
    outcome = parse(path, document, limited, last)
    if (!outcome.ok) return UNCHANGED
    const next = change(outcome.value)
    if (next === UNCHANGED) return UNCHANGED
    const bytes = next === undefined ? ok(undefined) : encode(path, next, limited)
    outcome = bytes.ok ? ok(next) : bytes
    return bytes.ok ? bytes.value : UNCHANGED
  })
  if (!updated.ok) return updated
  if (outcome.ok) remember(last, updated.value, outcome.value)
  return outcome
}
