/** The content of a held lock file, from which others can tell whether its holder is alive. */
import * as z from 'zod/mini'
import { systemClock } from '../../../shared/clock.ts'
import { lateCrypto } from './late-crypto.ts'
import { CURRENT_PROCESS, isRunning } from './process-identity.ts'

/** Milliseconds between two writes of a holder's mark; its file time shows that the holder is alive. */
const REFRESH_MS = 5_000

/** Milliseconds without a write after which a holder counts as dead if it cannot be checked directly, such as on another host. */
export const EXPIRES_AFTER_MS = 30_000

/** All marks have the same length, so that none leaves a rest of a longer one. */
const LENGTH = 320

const holderSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({ pid: z.int().check(z.positive()), host: z.string(), started: z.optional(z.string()), at: z.number() }),
)

/** A mark that no other lock has. */
export const holderWords = (): string => {
  const holder = { ...CURRENT_PROCESS, at: systemClock(), id: lateCrypto().randomUUID() }
  return `${JSON.stringify(holder).padEnd(LENGTH)}\n`
}

export const parseHolder = (words: string) => {
  try {
    return holderSchema.safeParse(JSON.parse(words)).data
  } catch {
    return undefined
  }
}

/**
 * Whether the holder is dead: on this host if its process is; otherwise, and for an unreadable mark, by the mark's age in milliseconds,
 * by the clock of its file system.
 */
export const isGone = (words: string, age: number): boolean => {
  const holder = parseHolder(words)
  if (holder?.host === CURRENT_PROCESS.host) return !isRunning(holder.pid, holder.started)
  return age > EXPIRES_AFTER_MS
}

/** Rewrites the mark until it is stopped; stopping resolves after the last write. A failed write is retried by the next one. */
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

/** Returns whether a lock was taken so recently that nobody can have counted its holder as dead. */
export const createYouth = (): (() => boolean) => {
  const takenAt = systemClock()
  return () => Math.abs(systemClock() - takenAt) < EXPIRES_AFTER_MS / 2
}
