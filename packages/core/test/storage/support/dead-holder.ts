/** The mark of a process of this host that has ended. */
import { currentProcess } from '../../../src/storage/files/process-identity.ts'

/** No system gives a process this id: on Linux and macOS it is too large, and those of Windows are even. */
export const DEAD_PID = 2 ** 22 + 1

export const DEAD_HOLDER = JSON.stringify({ pid: DEAD_PID, host: currentProcess.host, at: 0 })
