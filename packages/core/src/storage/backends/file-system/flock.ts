/** flock(2) through koffi: the only lock that excludes a running Python Hermes (reference hermes-memory 2). */
import { loadKoffi } from './load-koffi.ts'

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

/** Whether writes of this library and of Python Hermes wait for each other on this machine. */
export const hasFlock = (): boolean => bindFlock() !== undefined
