/** The longest time that work blocks the event loop, in processor time, so that other load on the machine does not count. */

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

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
