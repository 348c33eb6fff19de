/** flock(2) through koffi: the only lock that excludes a running Python Hermes (reference hermes-memory 2). */
import { constants } from 'node:fs'
import { basename, dirname } from 'node:path'
import { withEnsuredFolder } from './durable-folder.ts'
import { isExclusiveHeld } from './exclusive-file-lock.ts'
import { type OpenFile, open } from './file-calls.ts'
import { isSystemError } from './io-error.ts'
import { loadKoffi } from './load-koffi.ts'
import { createYouth, holderWords, keepFresh } from './lock-holder.ts'
import { isAt, letGo } from './pinned-folder.ts'
import { type HeldLock, type MayRetry, neverRetry, type TryLock } from './try-lock.ts'

const LOCK_EX = 2
const LOCK_NB = 4
const LOCK_UN = 8

// The architecture names of musl's library, by Node's names.
const muslArchitectures: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64', arm: 'armhf', ia32: 'i386' }

const libraries = (): readonly string[] => {
  if (process.platform === 'darwin') return ['libSystem.B.dylib']
  if (process.platform === 'linux') return ['libc.so.6', `libc.musl-${muslArchitectures[process.arch] ?? process.arch}.so.1`]
  if (process.platform === 'freebsd') return ['libc.so.7']
  return []
}

/** Returns 0 or the system's error number. */
type Flock = (handle: number, operation: number) => number

export interface Native {
  readonly flock: Flock
  readonly busy: number
  readonly interrupted: number
}

/** `undefined` if the machine has no flock or koffi is not installed. */
export const bindFlock = (): Native | undefined => {
  const names = libraries()
  const koffi = names.length === 0 ? undefined : loadKoffi()
  if (!koffi) return undefined
  for (const name of names) {
    try {
      const call = koffi.load(name).func('int flock(int fd, int operation)')
      const { EWOULDBLOCK: busy = 11, EINTR: interrupted = 4 } = koffi.os.errno
      return { flock: (handle, operation) => (call(handle, operation) === 0 ? 0 : koffi.errno()), busy, interrupted }
    } catch {
      // Another libc: try the next name.
    }
  }
  return undefined
}

const OPEN_FLAGS = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0)

/** Creates nothing outside the folder: a link in its place is not followed. */
const openLockFile = async (file: string): Promise<OpenFile> => {
  try {
    return await open(file, OPEN_FLAGS)
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error
    return withEnsuredFolder(dirname(file), ({ at }) => open(at(basename(file)), OPEN_FLAGS | constants.O_CREAT, 0o600))
  }
}

const isTaken = ({ flock, busy, interrupted }: Native, handle: OpenFile, file: string): boolean => {
  let failure = flock(handle.fd, LOCK_EX | LOCK_NB)
  while (failure === interrupted) failure = flock(handle.fd, LOCK_EX | LOCK_NB)
  if (failure !== 0 && failure !== busy)
    throw Object.assign(new Error(`flock of ${file} failed with error number ${failure}`), { code: 'ENOLCK' })
  return failure === 0
}

const known = new Set<string>()

/** Another program may have created the file. Called once for each file, since its permissions are not widened later. */
const makePrivate = async (handle: OpenFile, file: string): Promise<void> => {
  if (known.has(file)) return
  known.add(file)
  try {
    await handle.chmod(0o600)
  } catch (error) {
    // Another user's lock file can still be locked.
    if (!isSystemError(error)) throw error
  }
}

/**
 * The holder's mark in the lock file is for processes without flock. Both kinds of holder first leave their mark, then look for the
 * other's, so of two at once at least one sees the other. `undefined` if a holder of the other kind is found.
 */
const mark = async ({ flock }: Native, handle: OpenFile, file: string): Promise<HeldLock | undefined> => {
  const words = holderWords()
  const isYoung = createYouth()
  await handle.write(words)
  const now = async () => (await handle.stat()).mtimeMs
  const isExcluded = () => isExclusiveHeld(file, now)
  if (await isExcluded()) {
    await handle.truncate()
    return undefined
  }
  await makePrivate(handle, file)
  const stop = keepFresh(() => handle.write(words))
  return {
    isHeld: async () => isYoung() || !(await isExcluded()),
    release: async () => {
      try {
        await stop()
        await handle.truncate()
      } finally {
        // The kernel unlocks at once; closing, which would also unlock, may be slow.
        flock(handle.fd, LOCK_UN)
        letGo(handle)
      }
    },
  }
}

/** `'replaced'`: another file is at the path now. */
const lockOpened = async (
  native: Native,
  handle: OpenFile,
  file: string,
  mayRetry: MayRetry,
  onTaken?: () => void,
): Promise<HeldLock | 'replaced' | undefined> => {
  for (;;) {
    if (isTaken(native, handle, file)) {
      // If the file was removed or replaced while it was opened, the lock guards nothing.
      if (!(await isAt(handle, file))) return 'replaced'
      onTaken?.()
      const held = await mark(native, handle, file)
      if (held) return held
      native.flock(handle.fd, LOCK_UN)
    }
    if (!(await mayRetry())) return undefined
    if (!(await isAt(handle, file))) return 'replaced'
  }
}

/** The file stays open between two tries: another try is a call to the kernel, not to the disk. */
const lockWith =
  (native: Native): TryLock =>
  async (file, mayRetry = neverRetry, onTaken) => {
    for (;;) {
      const handle = await openLockFile(file)
      let held: HeldLock | 'replaced' | undefined
      try {
        held = await lockOpened(native, handle, file, mayRetry, onTaken)
      } finally {
        if (typeof held !== 'object') await handle.close()
      }
      if (held !== 'replaced') return held
      if (!(await mayRetry())) return undefined
    }
  }

let binding: { readonly native: Native | undefined } | undefined

/** `undefined` if the machine has no flock or koffi is not installed. */
export const loadFlock = (): TryLock | undefined => {
  binding ??= { native: bindFlock() }
  return binding.native && lockWith(binding.native)
}
