/** The `World` of the process that runs the program. */
import { homedir } from 'node:os'
import type { World } from './world.ts'

const on =
  (event: 'SIGINT' | 'exit') =>
  (listener: () => void): (() => void) => {
    process.on(event, listener)
    return () => void process.off(event, listener)
  }

export const processWorld = (): World => ({
  env: process.env,
  cwd: process.cwd(),
  userHome: homedir(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  onInterrupt: on('SIGINT'),
  onExit: on('exit'),
})
