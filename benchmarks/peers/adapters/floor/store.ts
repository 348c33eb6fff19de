/** What no durable store can do without: lock with flock(2), write the document anew, fsync, rename, fsync the folder, unlock. */
import { closeSync, constants, existsSync, fsync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import koffi from 'koffi'
import type { OpenStore } from '../../port.ts'

const [LOCK_EX, LOCK_NB, LOCK_UN] = [2, 4, 8] as const
const flock = koffi.load('libc.so.6').func('int flock(int fd, int operation)')
const syncFile = promisify(fsync)
let temporaries = 0

const write = async (path: string, bytes: string): Promise<void> => {
  const handle = openSync(path, 'wx', 0o600)
  writeSync(handle, bytes)
  await syncFile(handle)
  closeSync(handle)
}

const lock = async (file: string): Promise<number> => {
  const handle = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
  while (flock(handle, LOCK_EX | LOCK_NB) !== 0) await pause(1)
  return handle
}

export const openStore: OpenStore = async (folder) => {
  const document = `${folder}/facts.md`
  const read = (): string => (existsSync(document) ? readFileSync(document, 'utf8') : '')
  return {
    write: async (fact) => {
      const held = await lock(`${folder}/lock`)
      const temporary = `${folder}/temporary-${process.pid}-${temporaries++}`
      await write(temporary, `${read()}- ${fact}\n`)
      renameSync(temporary, document)
      const parent = openSync(folder, 'r')
      await syncFile(parent)
      closeSync(parent)
      flock(held, LOCK_UN)
      closeSync(held)
    },
    read: async () => read(),
    block: async () => read(),
    close: async () => undefined,
  }
}
