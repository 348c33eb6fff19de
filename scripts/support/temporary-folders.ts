/** Where tests put temporary folders: in memory if that has room, because waiting for a disk takes a quarter of the time of tests that write files. */
import { readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
const ENOUGH_BYTES = 1024 ** 3

/** True if the folder has room and may hold programs. */
const isUsable = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY)
    return bavail * bsize > ENOUGH_BYTES && mount !== undefined && !/\bnoexec\b/.test(mount)
  } catch {
    return false
  }
}

/** Changes what `tmpdir()` returns, in this process and in those it starts. A TMPDIR that is set stays. */
export const putTemporaryFoldersInMemory = (): void => {
  if (process.env['TMPDIR'] || !isUsable()) return
  process.env['HERMES_TEST_DISK'] = tmpdir()
  process.env['TMPDIR'] = MEMORY
}

/** A folder for temporary folders that are large, or that must be on a disk. */
export const diskFolder = (): string => process.env['HERMES_TEST_DISK'] ?? tmpdir()
