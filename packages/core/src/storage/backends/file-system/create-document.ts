/**
 * Creates a document that only its creator names, without a lock: a link to a complete file appears in one step, and replaces nothing.
 * Anything unusual is left to the update under a lock.
 */
import { basename, dirname } from 'node:path'
import { type DocumentChange, type StoredDocument, UNCHANGED } from '../../storage-backend.ts'
import { writeTemporary } from './atomic-write.ts'
import { toDocument } from './document-file.ts'
import { link, unlink } from './file-calls.ts'
import type { Home } from './home.ts'
import { isSystemError } from './io-error.ts'
import { type Pin, type PinnedFolder, pinFolder } from './pinned-folder.ts'
import { runChange } from './run-change.ts'
import { temporaryName } from './temporary-files.ts'

/** The folder of the document, if it is there and no link is on its path. */
const pinExpected = async (home: Home, path: string): Promise<Pin | undefined> => {
  const place = await home.expect(path)
  if (!place) return undefined
  try {
    return await pinFolder(dirname(place.file), dirname(place.way))
  } catch {
    // The update under a lock creates the folder or says what is wrong.
    return undefined
  }
}

/** The name is taken; or there are no second names for a file, since the file system has none or a rule of the system forbids them. */
const NOT_LINKED = ['EEXIST', 'EPERM', 'EACCES', 'EXDEV', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'] as const

/** False if there is no link: see `NOT_LINKED`. */
const linkTo = async (temporary: string, name: string): Promise<boolean> => {
  try {
    await link(temporary, name)
    return true
  } catch (error) {
    if (isSystemError(error, ...NOT_LINKED)) return false
    throw error
  }
}

const create = async (pinned: PinnedFolder, name: string, content: { bytes: Uint8Array; executable: boolean }): Promise<boolean> => {
  const temporary = temporaryName()
  let isLinked = false
  try {
    await writeTemporary(pinned, temporary, { ...content, durable: true })
    isLinked = await linkTo(pinned.at(temporary), pinned.at(name))
  } finally {
    // Of a document that was created, a second name that stays is removed with the temporary files of killed processes.
    const removed = unlink(pinned.at(temporary)).catch(() => undefined)
    if (isLinked) await pinned.sync()
    await removed
  }
  return isLinked
}

/** `undefined`: nothing was created, and the caller goes on under a lock. Throws the system's errors, `ChangeThrew` and `DisplacedError`. */
export const createDocument = async (home: Home, path: string, change: DocumentChange): Promise<StoredDocument | undefined> => {
  const pin = await pinExpected(home, path)
  if (!pin) return undefined
  try {
    await home.prepare()
    return await pin.use(async (pinned) => {
      const next = runChange(path, change, undefined)
      if (next === UNCHANGED || next === undefined) return undefined
      const content = { bytes: new Uint8Array(next.bytes), executable: next.executable }
      return (await create(pinned, basename(path), content)) ? toDocument(content.bytes, content.executable) : undefined
    })
  } finally {
    pin.letGo()
  }
}
