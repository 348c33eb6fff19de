/** Everything outside the program that it reads or writes, so that tests can replace it. */
import { randomUUID } from 'node:crypto'
import { homedir } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { Clock } from '@hermes/core'

type Screen = Writable & { readonly isTTY?: boolean; readonly columns?: number }

export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable & { readonly isTTY?: boolean }
  /** Results. */
  readonly stdout: Screen
  /** Progress, warnings, errors, questions. */
  readonly stderr: Screen
  /** The user's home directory, for `~`. */
  readonly userHome: string
  /** Unique ids for journal records. */
  readonly createId: () => string
  /** Calls the listener on Ctrl-C instead of ending the program. Returns a function that removes the listener. */
  readonly onInterrupt: (listener: () => void) => () => void
  /** The same for Ctrl-C and SIGTERM, for commands that run until they are stopped. */
  readonly onStop: (listener: () => void) => () => void
  /** Ends the program a second later, even if a module of the host still holds connections or timers. */
  readonly endSoon: () => void
  /** Default: the system clock. */
  readonly clock?: Clock
}

const onSignals =
  (...signals: readonly NodeJS.Signals[]) =>
  (listener: () => void): (() => void) => {
    for (const signal of signals) process.on(signal, listener)
    return () => {
      for (const signal of signals) process.off(signal, listener)
    }
  }

/** Results have been written by then. */
const END_MS = 1_000

export const processWorld = (): World => ({
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  userHome: homedir(),
  createId: randomUUID,
  onInterrupt: onSignals('SIGINT'),
  onStop: onSignals('SIGINT', 'SIGTERM'),
  // Without anything that keeps it running, the program ends at once.
  // biome-ignore lint/nursery/noProcessExit: the work is done, and only what a module of the host left open keeps the program running
  endSoon: () => void setTimeout(() => process.exit(), END_MS).unref(),
})
