/** Identifies a process in the name of what it leaves, and tells whether it may still be running. */
import { hostname } from 'node:os'
import { fingerprint } from '../../shared/fingerprint.ts'
import { isSystemError } from './disk.ts'
import { fs } from './node-fs.ts'

const namespace = (): string => {
  try {
    return fs.readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

let host: string | undefined

/** `host`: 16 hex digits of the machine and, on Linux, its namespace of processes; ids are comparable only if it is equal. */
export const currentProcess: { readonly pid: number; readonly host: string } = {
  pid: process.pid,
  get host() {
    // Two containers may share a host name and not see each other.
    host ??= fingerprint(`${hostname()}\n${namespace()}`)
    return host
  },
}

/** Whether a process of this host is running. */
export const isProcessRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // A process that may not be signalled is running too.
    if (isSystemError(error, 'ESRCH')) return false
  }
  return true
}
