/** SQLite blocks its thread, so the work of one index runs one piece at a time, with a turn of the event loop in between. */
import { setImmediate } from 'node:timers/promises'

export type InTurn = <T>(work: () => T) => Promise<T>

/** What it returns runs `work` after what was asked for before it, and rejects with what `work` throws. */
export const createTurns = (): InTurn => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    const giveWay = () => setImmediate()
    last = mine.then(giveWay, giveWay)
    return mine
  }
}
