/** Files by which the processes of the agents keep out of each other's way: each names the process that made it. */
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '@hermes/core'
import { isProcessRunning } from '@hermes/core/file-system'

const LOOK_EVERY_MS = 20

type LockState = 'free' | 'held' | 'left'

/** `left`: its process has ended, or it is older than `limitMs`. */
const stateOf = async (file: string, limitMs: number): Promise<LockState> => {
  const [text, found] = await Promise.all([readFile(file, 'utf8'), stat(file)]).catch(() => [])
  if (text === undefined || found === undefined) return 'free'
  // A file without a text is just being written.
  return systemClock() - found.mtimeMs < limitMs && (text === '' || isProcessRunning(Number(text))) ? 'held' : 'left'
}

/** `limitMs`: milliseconds after which a lock counts as left behind, as it does if its process has ended. */
export const isLocked = async (file: string, limitMs: number): Promise<boolean> => (await stateOf(file, limitMs)) === 'held'

const create = (file: string): Promise<boolean> =>
  writeFile(file, String(process.pid), { flag: 'wx', mode: 0o600 }).then(
    () => true,
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EEXIST') return false
      throw cause
    },
  )

/** Whether this process has it now. `waitMs`: how long it may take. Rejects if the file cannot be written. */
export const takeLock = async (file: string, limitMs: number, waitMs = 0): Promise<boolean> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const until = systemClock() + waitMs
  while (!(await create(file))) {
    const state = await stateOf(file, limitMs)
    if (state === 'left') await rm(file, { force: true })
    if (state !== 'held') continue
    if (systemClock() >= until) return false
    await pause(LOOK_EVERY_MS)
  }
  return true
}
