/** The processor time of this thread, which does not depend on the machine's other load. */

/** Milliseconds. On Node 20, which has no value per thread, that of the whole process. */
export const cpuMs = (): number => {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)()
  return (user + system) / 1_000
}
