/** The longest time for which work blocks the thread, in processor time, which does not depend on the machine's other load. */
import { cpuMs } from './cpu-time.ts'

/** The longest time between two turns of the event loop, in milliseconds. Needs Node 24. */
export const longestHold = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0
  let last = cpuMs()
  const timer = setInterval(() => {
    longest = Math.max(longest, cpuMs() - last)
    last = cpuMs()
  }, 1)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return Math.max(longest, cpuMs() - last)
}

/** What the work resolves to, and how often the event loop turned meanwhile. */
export const turnsDuring = async <T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly turns: number }> => {
  let turns = 0
  let isDone = false
  const watch = (): void => {
    turns++
    if (!isDone) setImmediate(watch)
  }
  setImmediate(watch)
  const result = await work()
  isDone = true
  return { result, turns }
}
