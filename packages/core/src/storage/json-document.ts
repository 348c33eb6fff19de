/** A JSON document behind the storage port, checked with a zod schema on the way in and out. */
import type { ZodType } from 'zod'
import { canonicalJson } from '../shared/canonical-json.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { type StorageBackend, type StoredDocument, UNCHANGED } from './storage-backend.ts'

const unreadable = (path: string, why: string, cause?: unknown): HermesError =>
  new HermesError('unreadable', `'${path}' ${why}. It is left as it is: repair it, or move it away to start afresh.`, {
    cause,
    details: { path },
  })

const parse = <T>(path: string, document: StoredDocument | undefined, schema: ZodType<T>): Result<T | undefined> => {
  if (!document) return ok(undefined)
  let data: unknown
  try {
    data = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(document.bytes))
  } catch (cause) {
    return err(unreadable(path, 'is not JSON in UTF-8', cause))
  }
  const parsed = schema.safeParse(data)
  if (parsed.success) return ok(parsed.data)
  const [issue] = parsed.error.issues
  const where = issue && issue.path.length > 0 ? ` at '${issue.path.join('.')}'` : ''
  return err(unreadable(path, `does not have the expected shape${where} (${issue?.message ?? 'unknown reason'})`, parsed.error))
}

const encode = <T>(path: string, value: T, schema: ZodType<T>): Uint8Array => {
  const text = canonicalJson(value)
  const readBack = schema.safeParse(JSON.parse(text))
  if (!readBack.success) throw new TypeError(`What was to be written to '${path}' does not fit its own schema.`, { cause: readBack.error })
  return new TextEncoder().encode(text)
}

/** `undefined` where there is no document; `unreadable` where it is corrupt or of another shape. */
export const readJsonDocument = async <T>(storage: StorageBackend, path: string, schema: ZodType<T>): Promise<Result<T | undefined>> => {
  const document = await storage.read(path)
  return document.ok ? parse(path, document.value, schema) : document
}

/**
 * Atomic read-modify-write; `change` answers the next value, `undefined` to remove the document, or `UNCHANGED`. It is pure: it may
 * run more than once. A corrupt document is `unreadable` and stays untouched. The schema must accept what is written (no transforms).
 */
export const updateJsonDocument = async <T>(
  storage: StorageBackend,
  path: string,
  schema: ZodType<T>,
  change: (current: T | undefined) => T | undefined | typeof UNCHANGED,
): Promise<Result<T | undefined>> => {
  let outcome: Result<T | undefined> = ok(undefined)
  const updated = await storage.update(path, (document) => {
    outcome = parse(path, document, schema)
    if (!outcome.ok) return UNCHANGED
    const next = change(outcome.value)
    if (next === UNCHANGED) return UNCHANGED
    outcome = ok(next)
    return next === undefined ? undefined : encode(path, next, schema)
  })
  return updated.ok ? outcome : updated
}
