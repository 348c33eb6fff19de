/** Removes every document below a folder, including those written meanwhile, and what the back end's own files hold of them. */

import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { type DocumentChange, updateDocument } from '../storage/one-document.ts'
import type { DocumentInfo, StorageBackend } from '../storage/storage-backend.ts'

export interface RemovedDocument {
  readonly path: string
  /** Bytes. */
  readonly size: number
}

const AT_ONCE = 32
/** After this many rounds, new documents count as arriving without end. */
const MAX_ROUNDS = 20

const removeAll = async (storage: StorageBackend, documents: readonly DocumentInfo[], removed: Map<string, number>) => {
  const waiting = documents.values()
  let problem: HermesError | undefined
  const work = async () => {
    for (const { path } of waiting) {
      let size: number | undefined
      const remove: DocumentChange = (current) => {
        size = current?.bytes.length
        return undefined
      }
      const gone = await updateDocument(storage, path, remove, { forget: true })
      if (!gone.ok) problem ??= gone.error
      else if (size !== undefined) removed.set(path, (removed.get(path) ?? 0) + size)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return problem
}

/** `skip`: returns a folder inside that is kept; called in every round. Fails if a document could not be removed; the others are already removed. */
export const removeFolder = async (
  storage: StorageBackend,
  folder: string,
  skip: () => Promise<Result<string | undefined>> = async () => ok(undefined),
): Promise<Result<readonly RemovedDocument[]>> => {
  const removed = new Map<string, number>()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const [listed, kept] = await Promise.all([storage.list(folder), skip()])
    if (!listed.ok) return listed
    if (!kept.ok) return kept
    const documents = listed.value.filter(({ path }) => kept.value === undefined || !path.startsWith(`${kept.value}/`))
    const [unreadable] = documents.filter((each) => each.unreadable !== undefined)
    if (documents.length === 0) {
      // A back end removes empty folders and temporary files together with a document, so at least one removal is needed.
      const emptied = await updateDocument(storage, `${folder}/.emptied`, () => undefined, { forget: true })
      return emptied.ok ? ok(Array.from(removed, ([path, size]) => ({ path, size }))) : emptied
    }
    const problem = await removeAll(
      storage,
      documents.filter((each) => each.unreadable === undefined),
      removed,
    )
    if (problem) return err(problem)
    if (unreadable) {
      const message = `'${unreadable.path}' is not a document (${unreadable.unreadable}) and could not be removed. Remove it manually, then try again.`
      return err(new HermesError('unwritable', message, { details: { path: unreadable.path } }))
    }
  }
  return err(new HermesError('locked', `New documents keep appearing in '${folder}'. Stop whatever writes there, then try again.`))
}
