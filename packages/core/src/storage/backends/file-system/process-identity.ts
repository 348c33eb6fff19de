/** Identifies the process that wrote a lock or a temporary file, and tells whether it may still be running. */
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { isSystemError } from './io-error.ts'
import { lateCrypto } from './late-crypto.ts'

const textOf = (read: () => string): string | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

// Boot and clock tick at which a process started: distinguishes it from a later process with the same id. Linux only.
const startOf = (pid: number): string | undefined =>
  textOf(() => {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may contain spaces; the start time is the 22nd field, the 20th after the name.
    return `${boot}:${status.slice(status.lastIndexOf(')') + 2).split(' ')[19]}`
  })

// Process ids are only comparable on one host and in one namespace: two containers may share a host name and not see each other.
const findHost = (): string => {
  const namespace = textOf(() => readlinkSync('/proc/self/ns/pid')) ?? ''
  return lateCrypto().createHash('sha256').update(`${hostname()}\n${namespace}`).digest('hex').slice(0, 12)
}

let host: string | undefined

const started = startOf(process.pid)

/** `host`: 12 hex digits of the machine and, on Linux, its namespace of processes; ids are comparable only if it is equal. */
export const CURRENT_PROCESS: { readonly pid: number; readonly host: string; readonly started?: string } = {
  pid: process.pid,
  get host() {
    host ??= findHost()
    return host
  },
  ...(started === undefined ? {} : { started }),
}

/** Whether a process of this host is running. If its start is known, a later process with the same id does not count. */
export const isRunning = (pid: number, startedThen?: string): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // A process that may not be signalled is running too.
    if (isSystemError(error, 'ESRCH')) return false
  }
  const startedNow = startedThen === undefined ? undefined : startOf(pid)
  return startedNow === undefined || startedNow === startedThen
}
