/** Takes lock files in order without blocking the event loop, with a timeout. */
import { setTimeout as delay, setImmediate as nextTick } from 'node:timers/promises'
import type { Clock } from '../../../shared/clock.ts'
import { HermesError } from '../../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../../shared/result.ts'
import { exclusiveFileOf, tryExclusiveFile } from './exclusive-file-lock.ts'
import { loadFlock } from './flock.ts'
import { enterLockQueue, isQueued } from './lock-queue.ts'
import { pollPause } from './poll-pause.ts'
import type { HeldLock, TryLock } from './try-lock.ts'

export interface LockOptions {
  readonly timeoutMs: number
  readonly kind: 'auto' | 'exclusive-file'
  readonly warn: (message: string) => void
  /** 0 to 1, spreads the polls of several processes. */
  readonly random: () => number
  /** Monotonic milliseconds, from any start. */
  readonly clock: Clock
}

/** Several locks, released together. */
export type HeldLocks = HeldLock

export interface FileLock {
  /** Takes all the lock files. `onTaken`: as of `TryLock`. Throws the system's errors. */
  readonly acquire: (files: readonly string[], onTaken?: () => void) => Promise<Result<HeldLocks>>
  /** Takes one lock file without waiting; `undefined` if it is taken. Throws the system's errors. */
  readonly acquireNow: (file: string) => Promise<HeldLocks | undefined>
}

const FALLBACK_WARNING =
  'Hermes storage: flock is not available here, so lock files are used. Programs that use this library respect them, but Python Hermes does not: do not share this home with Python Hermes, or install the optional package koffi on Linux or macOS.'

const CHOSEN_WARNING =
  "Hermes storage: lock files are used, because of the option lock: 'exclusive-file'. Programs that use this library respect them, but Python Hermes does not: do not share this home with Python Hermes, or leave the option at 'auto'."

const lockedError = (file: string, timeoutMs: number): HermesError =>
  new HermesError(
    'locked',
    `${file} is still locked after ${timeoutMs} ms: another program, such as Hermes, is using it. Close that program or raise 'lockTimeoutMs'; if no such program runs and the file's name ends with '.excl', remove it.`,
    { details: { lock: file, timeoutMs } },
  )

export const createFileLock = ({ timeoutMs, kind, warn, random, clock }: LockOptions): FileLock => {
  let chosen: Promise<TryLock> | undefined
  let isFallback = false

  const choose = async (): Promise<TryLock> => {
    const flock = kind === 'auto' ? await loadFlock() : undefined
    if (flock) return flock
    isFallback = true
    warn(kind === 'auto' ? FALLBACK_WARNING : CHOSEN_WARNING)
    return tryExclusiveFile
  }

  const poll = (tryLock: TryLock, file: string, until: number, onTaken?: () => void): Promise<HeldLock | undefined> => {
    const since = clock()
    let attempt = 0
    const mayRetry = async (): Promise<boolean> => {
      const now = clock()
      if (now >= until) return false
      const pause = pollPause({ attempt: attempt++, waitedMs: now - since, random: random() })
      if (pause === 0) await nextTick()
      else await delay(Math.min(until - now, pause))
      return true
    }
    return tryLock(file, mayRetry, onTaken)
  }

  const acquire = async (tryLock: TryLock, file: string, until: number, onTaken?: () => void): Promise<HeldLock | undefined> => {
    const leave = await enterLockQueue(file, Math.max(0, until - clock()))
    if (!leave) return undefined
    let held: HeldLock | undefined
    try {
      held = await poll(tryLock, file, until, onTaken)
    } finally {
      if (!held) leave()
    }
    if (!held) return undefined
    const { isHeld, release } = held
    return { isHeld, release: () => release().finally(leave) }
  }

  /**
   * Tries all locks at once without waiting and keeps those from the first up to the first that is taken. Much faster for many locks than
   * one by one.
   */
  const acquireFree = async (tryLock: TryLock, files: readonly string[]): Promise<HeldLock[]> => {
    const tries = await Promise.allSettled(files.map((file) => acquire(tryLock, file, clock())))
    const locks = tries.map((one) => (one.status === 'fulfilled' ? one.value : undefined))
    const count = locks.includes(undefined) ? locks.indexOf(undefined) : locks.length
    // While waiting, only earlier locks may be held.
    await Promise.allSettled(locks.slice(count).map((lock) => lock?.release()))
    return locks.slice(0, count).filter((lock) => lock !== undefined)
  }

  const acquireAll = async (files: readonly string[], onTaken?: () => void): Promise<Result<HeldLocks>> => {
    chosen ??= choose()
    const tryLock = await chosen
    const until = clock() + timeoutMs
    const sorted = [...new Set(files)].sort()
    const held = sorted.length > 2 ? await acquireFree(tryLock, sorted) : []
    const release = async () => {
      const outcomes = await Promise.allSettled(held.map((lock) => lock.release()))
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    }
    const isHeld = async () => (await Promise.all(held.map((lock) => lock.isHeld()))).every(Boolean)
    let complete = false
    try {
      // All processes take locks in the same order, so there is no deadlock.
      for (const file of sorted.slice(held.length)) {
        const lock = await acquire(tryLock, file, until, onTaken)
        if (!lock) return err(lockedError(isFallback ? exclusiveFileOf(file) : file, timeoutMs))
        held.push(lock)
      }
      complete = true
      return ok({ isHeld, release })
    } finally {
      if (!complete) await release()
    }
  }

  const acquireNow = async (file: string): Promise<HeldLocks | undefined> => {
    chosen ??= choose()
    const tryLock = await chosen
    return isQueued(file) ? undefined : acquire(tryLock, file, clock())
  }

  return { acquire: acquireAll, acquireNow }
}
