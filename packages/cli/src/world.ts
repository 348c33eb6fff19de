/** Everything outside the program that it reads from or writes to, so that tests can stand in for it. */
import { randomUUID } from 'node:crypto'
import { homedir } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { Clock } from '@hermes/core'

export type Screen = Writable & { readonly isTTY?: boolean; readonly columns?: number }

export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable & { readonly isTTY?: boolean }
  /** Results. */
  readonly stdout: Screen
  /** Progress, warnings, errors, questions. */
  readonly stderr: Screen
  /** The person's own folder, for `~`. */
  readonly userHome: string
  /** Unique ids for what is written to the journal. */
  readonly createId: () => string
  /** Calls the listener when the person presses Ctrl-C, instead of ending the program; answers how to stop listening. */
  readonly onInterrupt: (listener: () => void) => () => void
  /** Default: the machine's. */
  readonly clock?: Clock
}

export const processWorld = (): World => ({
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  userHome: homedir(),
  createId: randomUUID,
  onInterrupt: (listener) => {
    process.on('SIGINT', listener)
    return () => process.off('SIGINT', listener)
  },
})
