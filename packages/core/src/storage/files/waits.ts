/** How long callers wait, for a lock and for the disk, and what they are told when they have waited too long. */
import { HermesError } from '../../shared/hermes-error.ts'

/** 0 to 1: the fraction of the present millisecond, so that processes do not wait in step. */
export const jitter = (): number => performance.now() % 1

/**
 * Milliseconds between two tries to take a lock, growing at first. After a long wait they are short again: a writer that takes the lock again and again leaves
 * it free only briefly, and a waiter that tried more rarely than later ones would starve.
 */
export const pauseFor = (tries: number, waitedMs: number): number =>
  tries < 4 ? 0 : 1 + jitter() * Math.min(tries - 4, waitedMs < 250 ? 20 : 3)

export const lockedError = (lock: string, ms: number, holder: number | undefined): HermesError =>
  new HermesError(
    'locked',
    `${holder === undefined ? 'Another program' : `Process ${holder}`} has held the lock of '${lock}' for ${ms} ms. Wait until it has ended, or end it, and try again. Nothing was written.`,
    { details: { lock, ...(holder === undefined ? {} : { holder }) } },
  )

export const hangingError = (ms: number, isUnderWay: boolean): HermesError =>
  new HermesError(
    'io',
    `The disk has not answered for ${ms} ms. Check it. ${isUnderWay ? 'Whether the update was done is not known: read before you repeat it.' : 'Nothing was written; try again.'}`,
  )
