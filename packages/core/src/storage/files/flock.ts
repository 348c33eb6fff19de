/**
 * flock(2) through koffi: the only lock that excludes a running Python Hermes (reference hermes-memory 2). The optional package koffi is loaded at run time,
 * hidden from bundlers: its native binary cannot be part of a bundle.
 */
import nodeModule from 'node:module'
import type Koffi from 'koffi'
import { statusAt } from './disk.ts'
import { fs } from './node-fs.ts'

const EXCLUSIVE_NOW = 6
const UNLOCK = 8

// Bundlers follow `import('koffi')` and `createRequire(…)('koffi')` and then fail on the binary or omit it. They do not follow this.
const { createRequire } = process.getBuiltinModule?.('node:module') ?? nodeModule

/**
 * First beside this package; for a bundle, beside the program that was started. Never in the working directory, which may be untrusted:
 * koffi is native code.
 */
const places = (): readonly string[] => [import.meta.url, ...process.argv.slice(1, 2)]

/** What is used of koffi; its native part has it too. */
type NativeCalls = Pick<typeof Koffi, 'load' | 'errno' | 'os'>

/** koffi's own dependency with the binary for this machine. Loading the rest of koffi as well takes more than twice as long. */
const nativePart = (koffi: string): NativeCalls => createRequire(koffi)(`@koromix/koffi-${process.platform}-${process.arch}`)

const loadAt = (place: string): NativeCalls => {
  const require = createRequire(place)
  const koffi = require.resolve('koffi')
  try {
    return nativePart(koffi)
  } catch {
    // Built from source, or laid out in another way: koffi finds it.
    return require(koffi)
  }
}

/** `undefined` if koffi is not installed or has no binary for this machine. */
const loadKoffi = (): NativeCalls | undefined => {
  for (const place of places()) {
    try {
      return loadAt(place)
    } catch {
      // Not found here: try the next place.
    }
  }
  return undefined
}

// The architecture names of musl's library, by Node's names.
const muslArchitectures: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64', arm: 'armhf', ia32: 'i386' }

const libraries = (): readonly string[] => {
  if (process.platform === 'darwin') return ['libSystem.B.dylib']
  if (process.platform === 'linux') return ['libc.so.6', `libc.musl-${muslArchitectures[process.arch] ?? process.arch}.so.1`]
  if (process.platform === 'freebsd') return ['libc.so.7']
  return []
}

export interface Flock {
  /** Whether the open file is locked now; false if somebody else has it. Throws if the system cannot lock it. */
  readonly lock: (file: number) => boolean
  readonly unlock: (file: number) => void
}

const bindFlock = (): Flock | undefined => {
  const names = libraries()
  const koffi = names.length === 0 ? undefined : loadKoffi()
  if (!koffi) return undefined
  for (const name of names) {
    try {
      const call = koffi.load(name).func('int flock(int fd, int operation)')
      const { EWOULDBLOCK: busy = 11, EINTR: interrupted = 4 } = koffi.os.errno
      const lock = (file: number): boolean => {
        if (call(file, EXCLUSIVE_NOW) === 0) return true
        const failure = koffi.errno()
        if (failure === busy || failure === interrupted) return false
        throw Object.assign(new Error(`flock failed with error number ${failure}`), { code: 'ENOLCK' })
      }
      return { lock, unlock: (file) => void call(file, UNLOCK) }
    } catch {
      // Another libc: try the next name.
    }
  }
  return undefined
}

let bound: { readonly flock: Flock | undefined } | undefined

/** `undefined` if the machine has no flock or koffi is not installed. */
export const flockCalls = (): Flock | undefined => {
  bound ??= { flock: bindFlock() }
  return bound.flock
}

/** Whether this process can lock a home with flock(2). */
export const hasFlock = (): boolean => flockCalls() !== undefined

/** The process that has locked a file with flock(2), where the system tells (Linux). */
export const holderOf = async (file: string): Promise<number | undefined> => {
  try {
    const locks = await fs.promises.readFile('/proc/locks', 'latin1')
    const { ino } = (await statusAt(file)) ?? {}
    const line = locks.split('\n').find((each) => each.includes('FLOCK') && each.includes(`:${ino} `))
    return line === undefined ? undefined : Number(line.trim().split(/\s+/)[4])
  } catch {
    return undefined
  }
}
