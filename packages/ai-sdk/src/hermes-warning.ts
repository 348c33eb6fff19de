/** What a host wired up wrongly: told once, never thrown into a call that the host pays for. */

export type HermesWarningCode =
  /** The middleware serves many people and this call names no user, or none that can be one. */
  | 'missing-owner'
  /** The middleware serves many sessions and this call names none. */
  | 'missing-session'
  /** `providerOptions.hermes` holds something that cannot be read, or a user though the middleware is one person's. */
  | 'invalid-option'
  /** The middleware is bound to one session and the call names another; the call goes out without memory. */
  | 'other-session'
  /** Hermes broke its promise never to throw; the call went on without it. */
  | 'unexpected'

export interface HermesWarning {
  readonly code: HermesWarningCode
  /** Says what to do next. */
  readonly message: string
  readonly cause?: unknown
}

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

/** Calls the host's own code: what it throws, or rejects with when it is async, stays here; there is nobody left to tell. */
export const callHost = <T>(listener: (value: T) => unknown, value: T): void => {
  try {
    const outcome = listener(value)
    if (outcome instanceof Promise) outcome.catch(() => {})
  } catch {
    // As above.
  }
}
