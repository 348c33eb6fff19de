/** A clock that only a test moves. */
import type { Clock } from '@hermes/core'

export interface ManualClock extends Clock {
  /** Moves the clock forward by `ms` milliseconds. */
  advance(ms: number): void
  /** Sets the clock. `at`: epoch milliseconds. */
  set(at: number): void
}

const NOON = Date.UTC(2026, 0, 5, 12)

/** `startAt`: epoch milliseconds. Default: Monday, 5 January 2026, 12:00 UTC. */
export const manualClock = (startAt: number = NOON): ManualClock => {
  let now = startAt
  return Object.assign(() => now, {
    advance(ms: number) {
      now += ms
    },
    set(at: number) {
      now = at
    },
  })
}
