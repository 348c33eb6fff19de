/** node:sqlite blocks its thread, so the work of all handles runs one piece at a time, with a turn of the event loop in between. */
import { setImmediate } from 'node:timers/promises'

let last: Promise<unknown> = Promise.resolve()

/** Runs `work` after what was asked for before it; rejects with what it throws. */
export const inTurn = <T>(work: () => T): Promise<T> => {
  const mine = last.then(work)
  const giveWay = () => setImmediate()
  last = mine.then(giveWay, giveWay)
  return mine
}
