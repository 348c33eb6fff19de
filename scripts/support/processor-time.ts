/** Processor time of this process and of the processes it has started and that have ended. */
import { readFileSync } from 'node:fs'

/** Clock ticks a second in /proc, the same on every Linux that Node runs on. */
const TICKS = 100

/** Seconds of the children that have ended, with theirs. 0 where there is no /proc. */
const childrenSeconds = (): number => {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // After the name of the program, which may hold blanks: cutime and cstime, fields 16 and 17 of proc(5), of which the name is the second.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) / TICKS
  } catch {
    return 0
  }
}

/** Seconds, user and system. A child counts once it has ended, with those of its own children that have ended. */
export const processorSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000 + childrenSeconds()
}
