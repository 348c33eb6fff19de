/** The result of a command: data for programs, text for people, and the failure if there was one. */
import type { Terminal } from './terminal/terminal.ts'

export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

export interface Failure {
  /** A `HermesErrorCode`, `usage`, `confirmation`, `interrupted` or `unexpected`. */
  readonly code: string
  /** One or two sentences: what is wrong, and what to do next. */
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** Default 1. */
  readonly exitCode?: ExitCode | undefined
  /** A person decided so: it is not shown as an error. */
  readonly isDecision?: boolean | undefined
}

export interface Answer {
  /** The `value` of `--json`: plain data; times are epoch milliseconds, 0 means never. */
  readonly value?: unknown
  /** Ends with a line break. */
  readonly text?: (terminal: Terminal) => string
  /** Set if part of the work failed; `value` and `text` are shown beside it. */
  readonly failure?: Failure
}

/** Nothing was done, or only a part. */
export type Refusal = Answer & { readonly failure: Failure }

/** Takes a HermesError too. */
export const failed = ({ code, message, details, exitCode, isDecision }: Failure): Refusal => ({
  failure: { code, message, details: details && Object.keys(details).length > 0 ? details : undefined, exitCode, isDecision },
})

/** The arguments make no sense. */
export const usage = (message: string): Failure => ({ code: 'usage', message, exitCode: EXIT.usage })

export const interrupted = (message: string): Refusal => failed({ code: 'interrupted', message, exitCode: EXIT.interrupted })

export const isFailure = (value: unknown): value is Failure =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value

export const isRefusal = (value: object): value is Refusal => 'failure' in value

export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
