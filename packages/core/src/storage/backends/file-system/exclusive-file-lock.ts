/**
 * The lock where flock is missing: a file `<lock>.excl` that exists while the lock is held and names its holder. It excludes other
 * processes that use it, on this host and on others, but not Python Hermes.
 */
import { linkSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { systemClock } from '../../../shared/clock.ts'
import type { TryLock } from './flock.ts'
import { isSystemError } from './io-error.ts'
import { CURRENT_PROCESS, isRunning } from './process-identity.ts'
import { temporaryFileIn } from './temporary-files.ts'

const holderSchema = z.object({ pid: z.int().positive(), host: z.string(), started: z.string().optional(), at: z.number() })

/** Creates the file together with its content, so that nobody ever sees a lock without its holder. */
const create = (file: string): boolean => {
  const temporary = temporaryFileIn(dirname(file))
  try {
    writeFileSync(temporary, JSON.stringify({ ...CURRENT_PROCESS, at: systemClock() }), { flag: 'wx', mode: 0o600 })
    linkSync(temporary, file)
    return true
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

const contentOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined
    throw error
  }
}

const parseHolder = (content: string) => {
  try {
    return holderSchema.safeParse(JSON.parse(content)).data
  } catch {
    return undefined
  }
}

/** Only what is certain counts: a dead process of this host. The time is there for people, since clocks jump. */
const isStale = (content: string): boolean => {
  const holder = parseHolder(content)
  return holder !== undefined && holder.host === CURRENT_PROCESS.host && !isRunning(holder.pid, holder.started)
}

/**
 * Removes a lock whose holder is dead. Only one process at a time may, and it looks again before it does: a second waiter that saw the
 * same dead holder would otherwise remove the lock that the first has just taken.
 */
const removeStale = (file: string): void => {
  const takeover = `${file}.takeover`
  if (!create(takeover)) return
  try {
    const content = contentOf(file)
    if (content !== undefined && isStale(content)) unlinkSync(file)
  } finally {
    unlinkSync(takeover)
  }
}

/** The file that stands for the lock while it is held. */
export const exclusiveFileOf = (lock: string): string => `${lock}.excl`

export const tryExclusiveFile: TryLock = (lock) => {
  const file = exclusiveFileOf(lock)
  if (!create(file)) {
    const content = contentOf(file)
    if (content === undefined || !isStale(content)) return undefined
    removeStale(file)
    if (!create(file)) return undefined
  }
  return () => rmSync(file, { force: true })
}
