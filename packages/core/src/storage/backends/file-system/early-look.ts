/**
 * What an update does while it takes its lock: it opens the folder and reads the document, both where they are expected. Each call to the
 * disk waits for a thread, so calls side by side, and paths not resolved, make a small update much faster.
 */
import { dirname } from 'node:path'
import { type FoundFile, openDocumentFile } from './document-file.ts'
import type { HeldLocks } from './file-lock.ts'
import type { Home } from './home.ts'
import { lockOf } from './own-files.ts'
import { type Pin, pinFolder } from './pinned-folder.ts'
import type { ResolvedPath } from './resolve-path.ts'

/** The lock, and what was read before it was taken. */
export interface EarlyLook {
  readonly resolved: ResolvedPath
  readonly locks: HeldLocks
  readonly found: FoundFile
  /** The folder of the document. */
  readonly pin: Pin
  /** Closes document and folder. Call it after the write: an open document cannot be mistaken for a later one. */
  readonly letGo: () => void
}

type Look = Omit<EarlyLook, 'locks'>

const look = async (home: Home, path: string): Promise<Look | undefined> => {
  const place = await home.expect(path)
  if (!place) return undefined
  const { file, way } = place
  const [pin, opened] = await Promise.allSettled([pinFolder(dirname(file), dirname(way)), openDocumentFile(file, way)])
  const letGo = () => {
    for (const one of [pin, opened]) if (one.status === 'fulfilled') one.value.letGo()
  }
  if (pin.status === 'fulfilled' && opened.status === 'fulfilled' && (await pin.value.isInPlace())) {
    const resolved = { file, canonical: path, isLink: false, isStraight: true, isMissing: false, blocked: undefined }
    return { resolved, pin: pin.value, found: opened.value.found, letGo }
  }
  letGo()
  return undefined
}

/**
 * `undefined` if the lock is taken or anything is unusual: then nothing is held, and the caller goes step by step. What was read may be
 * replaced before the lock is taken: compare its identity before the write, with the document still open.
 */
export const lookEarly = async (home: Home, path: string): Promise<EarlyLook | undefined> => {
  const lock = await home.expect(lockOf(path))
  if (!lock) return undefined
  const [locked, looked] = await Promise.allSettled([home.acquireNow(lock.file), look(home, path)])
  const locks = locked.status === 'fulfilled' ? locked.value : undefined
  const seen = looked.status === 'fulfilled' ? looked.value : undefined
  if (locks && seen) return { ...seen, locks }
  seen?.letGo()
  await locks?.release()
  return undefined
}
