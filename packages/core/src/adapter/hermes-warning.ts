/** Warnings about wrong wiring and failures outside the loop: reported, never thrown into a call that the host pays for. */
import type { WiringMistake } from '../session/hermes-event.ts'
import { callSafely } from '../shared/call-safely.ts'

export type HermesWarningCode =
  /** Codes of `reportWiring`, described there. */
  | WiringMistake
  /** It is ambiguous which of several texts are the user's or the answer, or they are combined with others in one text. */
  | 'ambiguous-values'
  /** A memory that the adapter decorates failed; the call continued without its history. */
  | 'inner-memory'
  /** Hermes threw although it must not; the call continued without it. */
  | 'unexpected'

export interface HermesWarning {
  readonly code: HermesWarningCode
  /** Says what to do next. */
  readonly message: string
  readonly cause?: unknown
}

/** Anything that it throws or rejects with is ignored. */
export type HermesWarningListener = (warning: HermesWarning) => void

/** Maximum number of different warnings of one kind. */
const MAX_WARNINGS = 20

/** The default listener: writes each different warning once, so that a server's log is not flooded. */
export const warnOnce = (write: (line: string) => void): HermesWarningListener => {
  const seen = new Map<HermesWarningCode, Set<string>>()
  return ({ code, message, cause }) => {
    const known = seen.get(code) ?? new Set()
    if (known.has(message) || known.size >= MAX_WARNINGS) return
    seen.set(code, known.add(message))
    write(`[hermes] ${message}${cause === undefined ? '' : ` Cause: ${String(cause)}`}`)
  }
}

/** Wraps the host's listener, or the console, so that it never throws. */
export const warningListener = (listener?: HermesWarningListener): HermesWarningListener => {
  // biome-ignore lint/suspicious/noConsole: wrong wiring must not be silent, and the host has no listener
  const tell = listener ?? warnOnce((line) => console.warn(line))
  return (warning) => callSafely(tell, warning)
}

/** Reports an internal error of an adapter if the call must continue. */
export const warnUnexpected = (warn: HermesWarningListener, cause: unknown): void =>
  warn({ code: 'unexpected', message: 'Hermes failed inside a call; the call went on without it. Please report the cause.', cause })

/** For work of an adapter inside a host's call. Contract: never throws or rejects; a failure is reported, and the result is undefined. */
export const insideCall = (warn: HermesWarningListener) => {
  const report = (cause: unknown): undefined => void warnUnexpected(warn, cause)
  function guarded<Answer>(work: () => Promise<Answer>): Promise<Answer | undefined>
  function guarded<Answer>(work: () => Answer): Answer | undefined
  function guarded(work: () => unknown): unknown {
    try {
      const answer = work()
      return answer instanceof Promise ? answer.catch(report) : answer
    } catch (cause) {
      return report(cause)
    }
  }
  return guarded
}
