/** The processor time of this thread: what else the machine does plays no part. */

/** Milliseconds. On Node 20, which counts no thread by itself, that of the whole process. */
export const cpuMs = (): number => {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)()
  return (user + system) / 1_000
}
