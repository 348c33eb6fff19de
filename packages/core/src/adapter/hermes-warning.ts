/** What a host wired up wrongly, or what broke beside the loop: told, never thrown into a call that the host pays for. */
import type { WiringMistake } from '../session/hermes-event.ts'
import { callSafely } from '../shared/call-safely.ts'

export type HermesWarningCode =
  /** What `reportWiring` takes, described there. */
  | WiringMistake
  /** Nothing says which of several words are the user's or the answer, or they stand in one text with others. */
  | 'ambiguous-values'
  /** A memory that the adapter decorates failed; the call went on without its history. */
  | 'inner-memory'
  /** Hermes broke its promise never to throw; the call went on without it. */
  | 'unexpected'

export interface HermesWarning {
  readonly code: HermesWarningCode
  /** Says what to do next. */
  readonly message: string
  readonly cause?: unknown
}

/** What it throws, or rejects with where it is async, is ignored. */
export type HermesWarningListener = (warning: HermesWarning) => void

/** Maximum number of different warnings of one kind. */
const MAX_WARNINGS = 20

/** The default listener: each different warning once, on the console, so that a server's log is not flooded. */
export const warnOnce = (write: (line: string) => void): HermesWarningListener => {
  const seen = new Map<HermesWarningCode, Set<string>>()
  return ({ code, message, cause }) => {
    const known = seen.get(code) ?? new Set()
    if (known.has(message) || known.size >= MAX_WARNINGS) return
    seen.set(code, known.add(message))
    write(`[hermes] ${message}${cause === undefined ? '' : ` Cause: ${String(cause)}`}`)
  }
}

/** A listener that never throws: the host's own, or the console. */
export const warningListener = (listener?: HermesWarningListener): HermesWarningListener => {
  // biome-ignore lint/suspicious/noConsole: wrong wiring must not be silent, and there is no listener yet to tell
  const tell = listener ?? warnOnce((line) => console.warn(line))
  return (warning) => callSafely(tell, warning)
}

/** For what an adapter catches of its own, where a call must go on. */
export const warnUnexpected = (warn: HermesWarningListener, cause: unknown): void =>
  warn({ code: 'unexpected', message: 'Hermes failed inside a call; the call went on without it. Please report the cause.', cause })
