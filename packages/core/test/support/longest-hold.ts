/** How long work holds the thread at most, in its own processor time: what else the machine does plays no part. */

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Milliseconds between two turns of the event loop, at the worst. Needs Node 24. */
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
