/** flock(2) through koffi: the only lock that excludes a running Python Hermes (reference hermes-memory 2). */
import { readFile } from 'node:fs/promises'
import { close, OpenFile, statusAt, TO_CREATE } from './disk.ts'
import { loadKoffi } from './load-koffi.ts'

const EXCLUSIVE_NOW = 6
const UNLOCK = 8

// The architecture names of musl's library, by Node's names.
const muslArchitectures: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64', arm: 'armhf', ia32: 'i386' }

const libraries = (): readonly string[] => {
  if (process.platform === 'darwin') return ['libSystem.B.dylib']
  if (process.platform === 'linux') return ['libc.so.6', `libc.musl-${muslArchitectures[process.arch] ?? process.arch}.so.1`]
  if (process.platform === 'freebsd') return ['libc.so.7']
  return []
}

export interface Native {
  /** Returns 0 or the system's error number. */
  readonly flock: (file: number, operation: number) => number
  readonly busy: number
  readonly interrupted: number
}

const bindFlock = (): Native | undefined => {
  const names = libraries()
  const koffi = names.length === 0 ? undefined : loadKoffi()
  if (!koffi) return undefined
  for (const name of names) {
    try {
      const call = koffi.load(name).func('int flock(int fd, int operation)')
      const { EWOULDBLOCK: busy = 11, EINTR: interrupted = 4 } = koffi.os.errno
      return { flock: (file, operation) => (call(file, operation) === 0 ? 0 : koffi.errno()), busy, interrupted }
    } catch {
      // Another libc: try the next name.
    }
  }
  return undefined
}

let bound: { readonly native: Native | undefined } | undefined

/** `undefined` if the machine has no flock or koffi is not installed. */
export const flockCalls = (): Native | undefined => {
  bound ??= { native: bindFlock() }
  return bound.native
}

/** Whether this process can lock a home with flock(2). */
export const hasFlock = (): boolean => flockCalls() !== undefined

/** Files that flock(2) locks: each stays open, since another open file of the same path would exclude this one. */
export class Flocks {
  readonly #native: Native
  readonly #open = new Map<string, OpenFile>()
  readonly #held = new Map<string, OpenFile>()
  readonly #taking = new Map<string, Promise<boolean>>()

  constructor(native: Native) {
    this.#native = native
  }

  /** False if somebody else holds it. `onTaken`: called at once, before it is known whether the lock file is still at its path. */
  async take(path: string, onTaken = () => {}): Promise<boolean> {
    // Two open files of one path would exclude each other.
    const taking = this.#taking.get(path) ?? this.#take(path, onTaken)
    this.#taking.set(path, taking)
    try {
      return await taking
    } finally {
      this.#taking.delete(path)
    }
  }

  async #take(path: string, onTaken: () => void): Promise<boolean> {
    if (this.#held.has(path)) return true
    const opened = this.#open.get(path) ?? (await OpenFile.at(path, TO_CREATE))
    this.#open.set(path, opened)
    const { flock, busy, interrupted } = this.#native
    const failure = flock(opened.fd, EXCLUSIVE_NOW)
    if (failure === busy || failure === interrupted) return false
    if (failure !== 0) throw Object.assign(new Error(`flock of ${path} failed with error number ${failure}`), { code: 'ENOLCK' })
    this.#held.set(path, opened)
    onTaken()
    if (await opened.isAt(path)) return true
    // Another file has taken its place.
    this.release(path)
    this.#open.delete(path)
    await close(opened.fd)
    return this.#take(path, onTaken)
  }

  held(path: string): OpenFile | undefined {
    return this.#held.get(path)
  }

  release(path: string): void {
    const held = this.#held.get(path)
    if (held) this.#native.flock(held.fd, UNLOCK)
    this.#held.delete(path)
  }

  releaseAll(): void {
    for (const path of [...this.#held.keys()].reverse()) this.release(path)
  }

  async close(): Promise<void> {
    this.releaseAll()
    const open = [...this.#open.values()]
    this.#open.clear()
    await Promise.all(open.map(({ fd }) => close(fd)))
  }
}

/** The process that has locked a file with flock(2), where the system tells (Linux). */
export const holderOf = async (file: string): Promise<number | undefined> => {
  try {
    const locks = await readFile('/proc/locks', 'latin1')
    const { ino } = (await statusAt(file)) ?? {}
    const line = locks.split('\n').find((each) => each.includes('FLOCK') && each.includes(`:${ino} `))
    return line === undefined ? undefined : Number(line.trim().split(/\s+/)[4])
  } catch {
    return undefined
  }
}
