/**
 * What an update does while it takes its lock: it opens the folder and reads the document, both where they are expected. Each call to the
 * disk waits for a thread, so calls side by side, and paths not resolved, make a small update much faster.
 */
import { dirname } from 'node:path'
import { ok, type Result } from '../../../shared/result.ts'
import { type FoundFile, type OpenedFile, openDocumentFile } from './document-file.ts'
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

interface Look extends Omit<EarlyLook, 'locks'> {
  /** Reads the document anew; the earlier one is closed. Throws as `openDocumentFile`. */
  readonly readAgain: () => Promise<OpenedFile>
}

/** Limits the files that updates of many documents have open while they wait for their locks; each has two. */
const MAX_LOOKS = 64

let looks = 0

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
    return { resolved, pin: pin.value, found: opened.value.found, letGo, readAgain: () => openDocumentFile(file, way) }
  }
  letGo()
  return undefined
}

const countedUntilLetGo = (seen: Look): Look => {
  const letGo = () => {
    looks--
    seen.letGo()
  }
  return { ...seen, letGo }
}

/** Waits for the lock with the folder open, and reads the document as soon as the lock looks taken. */
const waitWith = async (home: Home, lock: string, seen: Look): Promise<Result<EarlyLook> | undefined> => {
  let reading: Promise<OpenedFile> | undefined
  const closeRead = () => {
    reading?.then(
      (opened) => opened.letGo(),
      () => undefined,
    )
  }
  const read = (): Promise<OpenedFile> => {
    closeRead()
    reading = seen.readAgain()
    return reading
  }
  const letGo = () => {
    seen.letGo()
    closeRead()
  }
  let locks: Result<HeldLocks> | undefined
  try {
    locks = await home.acquireOne(lock, () => {
      // Its error is dealt with below, or it was for nothing.
      read().catch(() => undefined)
    })
    if (!locks.ok) return locks
    const { found } = await (reading ?? read())
    return ok({ ...seen, locks: locks.value, found, letGo })
  } catch {
    const held = locks
    locks = undefined
    if (held?.ok) await held.value.release()
    return undefined
  } finally {
    if (!locks?.ok) letGo()
  }
}

/**
 * `undefined` if anything is unusual, or if too many look at once: then nothing is held, and the caller goes step by step. `locked` if the
 * lock stays taken. What was read may be replaced before the lock is taken: compare its identity before the write, with the document still
 * open.
 */
export const lookEarly = async (home: Home, path: string): Promise<Result<EarlyLook> | undefined> => {
  const lock = await home.expect(lockOf(path))
  if (!lock || looks >= MAX_LOOKS) return undefined
  looks++
  const [locked, looked] = await Promise.allSettled([home.acquireNow(lock.file), look(home, path)])
  const locks = locked.status === 'fulfilled' ? locked.value : undefined
  const seen = looked.status === 'fulfilled' && looked.value ? countedUntilLetGo(looked.value) : undefined
  if (!seen) looks--
  if (locks && seen) return ok({ ...seen, locks })
  if (seen && locked.status === 'fulfilled') return waitWith(home, lock.file, seen)
  seen?.letGo()
  await locks?.release()
  return undefined
}
