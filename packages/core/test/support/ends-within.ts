/** A time limit that a busy machine does not exceed by itself. */
import { setImmediate, setTimeout } from 'node:timers/promises'

/** Turns of the event loop that work is given which was only late because this process did not run. */
const TURNS = 200

/** Whether work ends within a time, in milliseconds. Rejects as the work does. */
export const endsWithin = (ms: number, work: Promise<unknown>): Promise<boolean> => {
  const late = async () => {
    await setTimeout(ms)
    for (let turn = 0; turn < TURNS; turn++) await setImmediate()
    return false
  }
  return Promise.race([work.then(() => true), late()])
}
