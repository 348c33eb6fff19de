/** Everything outside a terminal program that it reads or writes, so that tests can replace it. */
import type { Readable, Writable } from 'node:stream'

/** What is used of a `tty.ReadStream`; without `isTTY` it is a pipe. */
export type Keyboard = Readable & { readonly isTTY?: boolean; readonly setRawMode?: (mode: boolean) => unknown }

/** What is used of a `tty.WriteStream`; without `isTTY` it is a pipe. */
export type Screen = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number }

export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute path of the folder that the program was started in. */
  readonly cwd: string
  /** The person's own folder, for `~`. */
  readonly userHome: string
  readonly stdin: Keyboard
  readonly stdout: Screen
  readonly stderr: Writable
  /** Calls the listener on Ctrl-C instead of ending the program. Returns a function that removes the listener. */
  readonly onInterrupt: (listener: () => void) => () => void
  /** Calls the listener when the process ends before the program does, as at a signal. Returns a function that removes the listener. */
  readonly onExit: (listener: () => void) => () => void
}

/** What a terminal is made of. */
export type TerminalWorld = Pick<World, 'stdin' | 'stdout' | 'env' | 'onInterrupt'>
