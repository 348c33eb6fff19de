/** A clock that stands still until a test moves it. */
import type { Clock } from '../shared/clock.ts'

export interface ManualClock extends Clock {
  /** Milliseconds forward. */
  advance(ms: number): void
  /** To a point in time, epoch milliseconds. */
  set(at: number): void
}

const NOON = Date.UTC(2026, 0, 5, 12)

/** Starts at `startAt`, epoch milliseconds; default 5 January 2026, 12:00 UTC, a Monday. */
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
