/** What a held lock says of its holder, so that others can tell a holder at work from one that is gone. */
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { systemClock } from '../../../shared/clock.ts'
import { CURRENT_PROCESS, isRunning } from './process-identity.ts'

/** A holder writes its words again and again while it holds the lock, so that their time says that it is at work. */
export const REFRESH_MS = 5_000

/** A holder that cannot be asked, such as one on another host, counts as gone when it has written nothing for so long. */
export const EXPIRES_AFTER_MS = 30_000

/** All holders write the same length, so that none leaves the end of another's words behind. */
const LENGTH = 320

const holderSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({ pid: z.int().positive(), host: z.string(), started: z.string().optional(), at: z.number() }),
)

/** Words that no other lock has. */
export const holderWords = (): string => `${JSON.stringify({ ...CURRENT_PROCESS, at: systemClock(), id: randomUUID() }).padEnd(LENGTH)}\n`

const parseHolder = (words: string) => {
  try {
    return holderSchema.safeParse(JSON.parse(words)).data
  } catch {
    return undefined
  }
}

/**
 * Whether the holder is gone: one of this host when its process is; any other, unreadable words included, by the age of the words in
 * milliseconds, told by the clock of the file system that they lie on.
 */
export const isGone = (words: string, age: number): boolean => {
  const holder = parseHolder(words)
  if (holder?.host === CURRENT_PROCESS.host) return !isRunning(holder.pid, holder.started)
  return age > EXPIRES_AFTER_MS
}

/** Writes the words again and again until it is told to stop; resolves when the last writing is over. A failure is left to the next one. */
export const keepFresh = (write: () => Promise<unknown>): (() => Promise<void>) => {
  let writing: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    writing = writing.then(write).catch(() => undefined)
  }, REFRESH_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await writing
  }
}

/** Answers whether a lock was taken so lately that nobody can have counted its holder as gone. */
export const createYouth = (): (() => boolean) => {
  const takenAt = systemClock()
  return () => Math.abs(systemClock() - takenAt) < EXPIRES_AFTER_MS / 2
}
