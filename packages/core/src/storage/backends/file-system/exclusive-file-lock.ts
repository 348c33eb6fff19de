/**
 * The lock if flock is missing: a file `<lock>.excl` that exists while the lock is held and names its holder. Excludes other processes of
 * this library, on this host and others, with either kind of lock; does not exclude Python Hermes.
 */
import { link, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { withEnsuredFolder } from './durable-folder.ts'
import { open, stat, unlink } from './file-calls.ts'
import { isSystemError } from './io-error.ts'
import { createYouth, holderWords, isGone, keepFresh } from './lock-holder.ts'
import { type PinnedFolder, withFolder } from './pinned-folder.ts'
import { temporaryName } from './temporary-files.ts'
import { type HeldLock, neverRetry, type TryLock } from './try-lock.ts'

interface Words {
  readonly text: string
  /** Epoch milliseconds, by the clock of the file system. */
  readonly writtenAt: number
}

const ignoreMissing = async (removing: Promise<void>): Promise<void> => {
  try {
    await removing
  } catch (error) {
    if (!isSystemError(error, 'ENOENT', 'ENOTDIR')) throw error
  }
}

const wordsOf = async (file: string): Promise<Words | undefined> => {
  try {
    // Usually there is no file, so its status is read first.
    const { mtimeMs } = await stat(file)
    return { text: await readFile(file, 'utf8'), writtenAt: mtimeMs }
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/** A failure is ignored: an error would hide a lock that was taken, and old temporary files are removed later. */
const removeTemporary = async (file: string): Promise<void> => {
  try {
    await unlink(file)
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
}

/** The content of the lock that was created, or the time by the clock of the file system if another process holds it. */
type Created = { readonly words: string } | { readonly now: number }

/** Creates the file with its content in one step, so that a lock always names its holder. */
const create = async ({ at }: PinnedFolder, name: string): Promise<Created> => {
  const temporary = at(temporaryName())
  const words = holderWords()
  try {
    await writeFile(temporary, words, { flag: 'wx', mode: 0o600 })
    await link(temporary, at(name))
    return { words }
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error
    return { now: (await stat(temporary)).mtimeMs }
  } finally {
    await removeTemporary(temporary)
  }
}

/** Contents of files of this process that could not be removed when their locks were released: the locks are free. */
const leftBehind = new Set<string>()

/** Tries again to remove the file of a released lock. Fails like the first try. */
const removeLeftBehind = async (file: string): Promise<void> => {
  if (leftBehind.size === 0) return
  const there = await wordsOf(file)
  // Only one caller finds it in the set, so that none removes the file of the next holder.
  if (there && leftBehind.delete(there.text)) await release(file, there.text)
}

/** Whether a running process of this host holds it; otherwise the file's age decides. */
const isHeldHere = async (file: string): Promise<boolean> => {
  const there = await wordsOf(file)
  return there !== undefined && !isGone(there.text, Number.POSITIVE_INFINITY)
}

const isStale = (words: Words, now: number): boolean => isGone(words.text, now - words.writtenAt)

/** Like `create`, also replacing the file of a dead holder. */
const createOverStale = async (pinned: PinnedFolder, name: string): Promise<string | undefined> => {
  const created = await create(pinned, name)
  if ('words' in created) return created.words
  const there = await wordsOf(pinned.at(name))
  if (!there || !isStale(there, created.now)) return undefined
  await removeStale(pinned, name, created.now)
  const again = await create(pinned, name)
  return 'words' in again ? again.words : undefined
}

/**
 * Removes the file of a dead holder. Requires the takeover lock of the file and checks again first: otherwise a second waiter that saw
 * the same holder could remove the lock that the first has just taken. A takeover lock is a file of the same kind; if its process dies
 * here, it is removed in the same way, under a takeover lock of its own.
 */
const removeStale = async (pinned: PinnedFolder, name: string, now: number): Promise<void> => {
  const takeover = `${name}.takeover`
  const mine = await createOverStale(pinned, takeover)
  if (mine === undefined) return
  try {
    const there = await wordsOf(pinned.at(name))
    if (there && isStale(there, now)) await unlink(pinned.at(name))
  } finally {
    if ((await wordsOf(pinned.at(takeover)))?.text === mine) await ignoreMissing(unlink(pinned.at(takeover)))
  }
}

/** The file that exists while the lock is held. */
export const exclusiveFileOf = (lock: string): string => `${lock}.excl`

/** Whether the lock file is held; the file of a dead holder is removed. `clock` returns the time of its file system. */
export const isExclusiveHeld = async (lock: string, clock: () => Promise<number>): Promise<boolean> => {
  const file = exclusiveFileOf(lock)
  await removeLeftBehind(file)
  const there = await wordsOf(file)
  if (!there) return false
  const now = await clock()
  if (!isStale(there, now)) return true
  await withFolder(dirname(file), (pinned) => removeStale(pinned, basename(file), now))
  return (await wordsOf(file)) !== undefined
}

/** Rewrites the content through the file that was opened at creation, never through another one at its path. */
const refresh = async (file: string, words: string): Promise<void> => {
  const handle = await open(file, 'r+')
  try {
    if ((await handle.readFile()).toString('utf8') === words) await handle.write(words)
  } finally {
    await handle.close()
  }
}

const release = async (file: string, words: string): Promise<void> => {
  const letGo = withFolder(dirname(file), async ({ at }) => {
    // A move may have taken the file along, and another process may hold the lock at this path now.
    if ((await wordsOf(at(basename(file))))?.text === words) await unlink(at(basename(file)))
  })
  try {
    await ignoreMissing(letGo)
  } catch (error) {
    leftBehind.add(words)
    throw error
  }
}

const MARK_POLLS = 20
const MARK_PAUSE_MS = 2

/** A holder of the flock marks the lock file. Newcomers see our file and stay away, so the mark disappears soon. */
const isMarkGone = async (lock: string, file: string): Promise<boolean> => {
  for (let poll = 0; poll < MARK_POLLS; poll++) {
    const mark = await wordsOf(lock)
    if (!mark || mark.text === '' || isGone(mark.text, (await stat(file)).mtimeMs - mark.writtenAt)) return true
    await delay(MARK_PAUSE_MS)
  }
  return false
}

const takeExclusiveFile = async (lock: string): Promise<HeldLock | undefined> => {
  const file = exclusiveFileOf(lock)
  await removeLeftBehind(file)
  // Waiters only read, so that they do not slow the holder down.
  if (await isHeldHere(file)) return undefined
  const words = await withEnsuredFolder(dirname(file), (pinned) => createOverStale(pinned, basename(file)))
  if (words === undefined) return undefined
  const isYoung = createYouth()
  let held = false
  try {
    held = await isMarkGone(lock, file)
  } finally {
    if (!held) await release(file, words)
  }
  if (!held) return undefined
  const stop = keepFresh(() => refresh(file, words))
  return {
    isHeld: async () => isYoung() || (await wordsOf(file))?.text === words,
    release: async () => {
      await stop()
      await release(file, words)
    },
  }
}

export const tryExclusiveFile: TryLock = async (lock, mayRetry = neverRetry) => {
  for (;;) {
    const held = await takeExclusiveFile(lock)
    if (held || !(await mayRetry())) return held
  }
}
