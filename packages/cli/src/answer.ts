/** The result of a command: data for programs, text for people, and the failure if there was one. */
import type { Terminal } from './terminal/terminal.ts'

export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export interface Failure {
  /** A `HermesErrorCode`, `usage`, `confirmation`, `interrupted` or `unexpected`. */
  readonly code: string
  /** One or two sentences: what is wrong, and what to do next. */
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
  /** Default 1. */
  readonly exitCode?: ExitCode
  /** A person decided so: it is not shown as an error. */
  readonly isDecision?: boolean
}

export interface Answer {
  /** The `value` of `--json`: plain data; times are epoch milliseconds, 0 means never. */
  readonly value?: unknown
  /** Ends with a line break. */
  readonly text?: (terminal: Terminal) => string
  /** Set if part of the work failed; `value` and `text` are shown beside it. */
  readonly failure?: Failure
}

export const failed = ({ code, message, details, exitCode, isDecision }: Failure): Answer => ({
  failure: {
    code,
    message,
    ...(details && Object.keys(details).length > 0 ? { details } : {}),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(isDecision ? { isDecision } : {}),
  },
})
