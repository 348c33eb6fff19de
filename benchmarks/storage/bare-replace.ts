/** What no durable replace of a document can do without: lock, read, write, fsync, rename, fsync of the folder, unlock. */
import { closeSync, constants, existsSync, fsync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'

const LOCK_EX = 2
const LOCK_UN = 8
const syncFile = promisify(fsync)

const koffi = createRequire(new URL('../../packages/core/package.json', import.meta.url))('koffi')
const flock: (handle: number, operation: number) => number = koffi.load('libc.so.6').func('int flock(int fd, int operation)')

let count = 0

/** Waits for the lock in the system, which wakes the next holder at once. The event loop is free during both calls of fsync. */
export const bareReplace = async (folder: string, name: string, change: (current: Uint8Array | undefined) => Uint8Array): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  const document = join(folder, name)
  const lock = openSync(`${document}.lock`, constants.O_RDWR | constants.O_CREAT, 0o600)
  flock(lock, LOCK_EX)
  const bytes = change(existsSync(document) ? readFileSync(document) : undefined)
  const temporary = join(folder, `temporary-${process.pid}-${count++}`)
  const handle = openSync(temporary, 'wx', 0o600)
  writeSync(handle, bytes)
  await syncFile(handle)
  closeSync(handle)
  renameSync(temporary, document)
  const parent = openSync(folder, 'r')
  await syncFile(parent)
  closeSync(parent)
  flock(lock, LOCK_UN)
  closeSync(lock)
}
