/** Removes every document below a folder in one update, and what the back end's own files hold of them. */

import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { isBelow } from '../storage/document-tree.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'

export interface RemovedDocument {
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** `kept`: a folder inside that stays. Fails if something there is not a document that can be removed; the documents are removed all the same. */
export const removeFolder = async (storage: StorageBackend, folder: string, kept?: string): Promise<Result<readonly RemovedDocument[]>> => {
  const removed = await storage.update(
    [`${folder}/`],
    (cut) => {
      const there = cut.list(folder).filter(({ path }) => kept === undefined || !isBelow(path, kept))
      const documents = there.filter(({ unreadable }) => unreadable === undefined)
      const put = Object.fromEntries(documents.map(({ path }) => [path, null]))
      return { put, value: { documents, left: there.find(({ unreadable }) => unreadable !== undefined) } }
    },
    { forget: true },
  )
  if (!removed.ok) return removed
  const { documents, left } = removed.value
  if (!left) return ok(documents)
  const message = `'${left.path}' is not a document (${left.unreadable}) and could not be removed. Remove it manually, then try again.`
  return err(new HermesError('unwritable', message, { details: { path: left.path } }))
}
