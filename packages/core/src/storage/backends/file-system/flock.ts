/** flock(2) through koffi: the only lock that excludes a live Python Hermes (reference hermes-memory 2). */
import { closeSync, constants, fchmodSync, fstatSync, openSync, statSync } from 'node:fs'
import { isSystemError } from './io-error.ts'

/** Tries once, never blocks; `undefined` while another holds the lock. Throws the system's errors. */
export type TryLock = (file: string) => (() => void) | undefined

const LOCK_EX = 2
const LOCK_NB = 4

// The names musl gives its library, by Node's name of the architecture.
const muslArchitectures: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64', arm: 'armhf', ia32: 'i386' }

const libraries = (): readonly string[] => {
  if (process.platform === 'darwin') return ['libSystem.B.dylib']
  if (process.platform === 'linux') return ['libc.so.6', `libc.musl-${muslArchitectures[process.arch] ?? process.arch}.so.1`]
  if (process.platform === 'freebsd') return ['libc.so.7']
  return []
}

/** Answers 0, or the system's error number. */
type Flock = (handle: number, operation: number) => number

interface Native {
  readonly flock: Flock
  readonly busy: number
  readonly interrupted: number
}

const bind = async (): Promise<Native | undefined> => {
  const names = libraries()
  if (names.length === 0) return undefined
  try {
    const { default: koffi } = await import('koffi')
    for (const name of names) {
      try {
        const call = koffi.load(name).func('int flock(int fd, int operation)')
        const { EWOULDBLOCK: busy = 11, EINTR: interrupted = 4 } = koffi.os.errno
        return { flock: (handle, operation) => (call(handle, operation) === 0 ? 0 : koffi.errno()), busy, interrupted }
      } catch {
        // Another libc: the next name may be the one.
      }
    }
  } catch {
    // koffi is optional: without it the caller falls back.
  }
  return undefined
}

const OPEN_FLAGS = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

const lockWith =
  ({ flock, busy, interrupted }: Native): TryLock =>
  (file) => {
    const handle = openSync(file, OPEN_FLAGS, 0o600)
    let held = false
    try {
      let failure = flock(handle, LOCK_EX | LOCK_NB)
      while (failure === interrupted) failure = flock(handle, LOCK_EX | LOCK_NB)
      if (failure === busy) return undefined
      if (failure !== 0) throw Object.assign(new Error(`flock of ${file} failed with error number ${failure}`), { code: 'ENOLCK' })
      const mine = fstatSync(handle)
      const there = statSync(file, { throwIfNoEntry: false })
      // Someone removed or replaced the file while we opened it: what we hold guards nothing.
      if (!there || there.ino !== mine.ino || there.dev !== mine.dev) return undefined
      if ((mine.mode & 0o777) !== 0o600) makePrivate(handle)
      held = true
      return () => closeSync(handle)
    } finally {
      if (!held) closeSync(handle)
    }
  }

const makePrivate = (handle: number): void => {
  try {
    fchmodSync(handle, 0o600)
  } catch (error) {
    // Another user's lock file still locks.
    if (!isSystemError(error)) throw error
  }
}

let binding: Promise<Native | undefined> | undefined

/** `undefined` where the machine has no flock or koffi is not installed. */
export const loadFlock = async (): Promise<TryLock | undefined> => {
  binding ??= bind()
  const native = await binding
  return native && lockWith(native)
}
