/**
 * The lock where flock is missing: a file `<lock>.excl` that exists while the lock is held and names its holder. It excludes other
 * processes that use it, on this host and on others, but not Python Hermes.
 */
import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { systemClock } from '../../../shared/clock.ts'
import type { TryLock } from './flock.ts'
import { isSystemError } from './io-error.ts'
import { CURRENT_PROCESS, isRunning } from './process-identity.ts'
import { temporaryFileIn } from './temporary-files.ts'

const holderSchema = z.object({ pid: z.int().positive(), host: z.string(), started: z.string().optional(), at: z.number() })

/** Creates the file together with its content, so that nobody ever sees a lock without its holder. Answers the content, which no other lock has. */
const create = (file: string): string | undefined => {
  const temporary = temporaryFileIn(dirname(file))
  const content = JSON.stringify({ ...CURRENT_PROCESS, at: systemClock(), id: randomUUID() })
  try {
    writeFileSync(temporary, content, { flag: 'wx', mode: 0o600 })
    linkSync(temporary, file)
    return content
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return undefined
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

const contentOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined
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

/** Like `create`, over the file of a dead holder too. */
const createOverStale = (file: string): string | undefined => {
  const created = create(file)
  if (created !== undefined) return created
  const content = contentOf(file)
  if (content === undefined || !isStale(content)) return undefined
  removeStale(file)
  return create(file)
}

/**
 * Removes a file whose holder is dead. Only who holds the file's takeover may, and looks again before: a second waiter that saw the
 * same dead holder would otherwise remove the lock that the first has just taken. A takeover is a file of the same kind: that of a
 * process killed right here is removed in the same way, under a takeover of its own.
 */
const removeStale = (file: string): void => {
  const takeover = `${file}.takeover`
  if (createOverStale(takeover) === undefined) return
  try {
    const content = contentOf(file)
    if (content !== undefined && isStale(content)) unlinkSync(file)
  } finally {
    rmSync(takeover, { force: true })
  }
}

/** The file that stands for the lock while it is held. */
export const exclusiveFileOf = (lock: string): string => `${lock}.excl`

export const tryExclusiveFile: TryLock = (lock) => {
  const file = exclusiveFileOf(lock)
  const mine = createOverStale(file)
  if (mine === undefined) return undefined
  return () => {
    // A move may have taken the file along, and another process may hold the lock at this place now.
    if (contentOf(file) === mine) unlinkSync(file)
  }
}
