/** Reads, changes and moves one thing at a time, for callers that need no more of a cut or a plan. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { checkMove, nothingAt, occupiedAt } from './document-tree.ts'
import { describe, isBytes, isContent, toStoredDocument } from './plan.ts'
import type { Cut, DocumentContent, StorageBackend, StoredDocument, UpdateOptions } from './storage-backend.ts'
import { checkStoragePath } from './storage-paths.ts'

/** Returned by a change to keep the document: nothing is written. */
export const UNCHANGED: unique symbol = Symbol.for('hermes.unchanged')

/**
 * Argument: the present document, `undefined` if there is none. Result: the next bytes (`executable` is kept; a new document is not
 * executable), the next content with its own `executable`, `undefined` to remove the document, or `UNCHANGED`.
 */
export type DocumentChange = (current: StoredDocument | undefined) => Uint8Array | DocumentContent | undefined | typeof UNCHANGED

/**
 * Returns what to write: the next content, `undefined` to remove the document, or `UNCHANGED`. Bytes alone keep `executable` of
 * `current`. Throws a TypeError for any other result.
 */
export const checkChangeResult = (
  path: string,
  next: unknown,
  current: DocumentContent | undefined,
): Required<DocumentContent> | undefined | typeof UNCHANGED => {
  if (next === undefined || next === UNCHANGED) return next
  if (isBytes(next)) return { bytes: next, executable: current?.executable ?? false }
  if (isContent(next)) return { bytes: next.bytes, executable: next.executable ?? false }
  const demand =
    'It must return a Uint8Array (new TextEncoder().encode(text) makes one of text), { bytes, executable }, undefined to remove the document, or UNCHANGED'
  if (next instanceof Promise) {
    // The promise is never awaited; its rejection must not end the process.
    next.catch(() => undefined)
    throw new TypeError(`The change of '${path}' returned a promise. ${demand}, not a promise: do what takes time before the update.`)
  }
  throw new TypeError(`The change of '${path}' returned ${describe(next)}. ${demand}. Nothing was written.`)
}

/** A cut throws the error of a document that cannot be read, also out of a plan. */
export const orError = async <T>(call: () => Promise<Result<T>>): Promise<Result<T>> => {
  try {
    return await call()
  } catch (cause) {
    if (HermesError.isInstance(cause)) return err(cause)
    throw cause
  }
}

/** `undefined` if there is no document. */
export const readDocument = (storage: Pick<StorageBackend, 'read'>, path: string): Promise<Result<StoredDocument | undefined>> =>
  orError(async () => {
    const checked = checkStoragePath(path)
    if (!checked.ok) return checked
    const cut = await storage.read([path])
    return cut.ok ? ok(cut.value.document(path)) : cut
  })

/**
 * Atomic read-modify-write; resolves to the document as it is afterwards. `change` may run more than once, so it is pure and synchronous. What it throws is thrown,
 * except a HermesError; for any result but bytes, content, `undefined` or `UNCHANGED`, such as a promise, a TypeError is. Nothing is written then.
 */
export const updateDocument = (
  storage: Pick<StorageBackend, 'update'>,
  path: string,
  change: DocumentChange,
  options?: UpdateOptions,
): Promise<Result<StoredDocument | undefined>> =>
  orError<StoredDocument | undefined>(async () => {
    const checked = checkStoragePath(path)
    if (!checked.ok) return checked
    return storage.update<StoredDocument | undefined>(
      [path],
      (cut) => {
        const current = cut.document(path)
        const next = checkChangeResult(path, change(current), current)
        if (next === UNCHANGED) return { value: current }
        if (next === undefined) return { put: { [path]: null }, value: undefined }
        const { bytes, executable } = next
        return { put: { [path]: next }, value: toStoredDocument(new Uint8Array(bytes), executable) }
      },
      options,
    )
  })

const refuseToStay = (cut: Cut, path: string): never => {
  throw cut.list(path).length > 0 || cut.document(path) ? occupiedAt(path) : nothingAt(path)
}

/**
 * Moves a document or a whole folder. `occupied` if anything is at or below the target, `not_found` if nothing is at the source.
 */
export const moveDocuments = async (storage: Pick<StorageBackend, 'update'>, from: string, to: string): Promise<Result<void>> => {
  const checked = checkMove(from, to)
  if (!checked.ok) return checked
  if (from === to) return orError(() => storage.update([from, `${from}/`], (cut) => refuseToStay(cut, from)))
  return storage.update([from, `${from}/`, to, `${to}/`], () => ({ move: [[from, to]], value: undefined }))
}
