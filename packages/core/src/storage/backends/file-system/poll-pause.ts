/** How long a waiter for a lock file pauses between two polls. Pure. */

const IMMEDIATE_POLLS = 4
const LONGEST_PAUSE_MS = 20
const LONG_WAIT_MS = 250
const LONGEST_PAUSE_AFTER_LONG_WAIT_MS = 3

export interface Waiting {
  /** Polls so far that found the lock taken, less one. */
  readonly attempt: number
  readonly waitedMs: number
  /** 0 to 1, spreads the polls of several processes. */
  readonly random: number
}

/**
 * Milliseconds; 0: polls again at once. Pauses grow at first. After a long wait they are short again: a writer that takes the lock again
 * and again leaves it free only briefly, and a waiter that polled more rarely than later ones would starve.
 */
export const pollPause = ({ attempt, waitedMs, random }: Waiting): number => {
  if (attempt < IMMEDIATE_POLLS) return 0
  const longest = waitedMs < LONG_WAIT_MS ? LONGEST_PAUSE_MS : LONGEST_PAUSE_AFTER_LONG_WAIT_MS
  return 1 + random * Math.min(attempt - IMMEDIATE_POLLS, longest)
}
