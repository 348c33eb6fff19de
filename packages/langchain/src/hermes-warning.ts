/** What a host wired up wrongly, or what broke beside the loop: told, never thrown into a call that the host pays for. */

export type HermesWarningCode =
  /** The adapter serves many sessions and this call names none. */
  | 'missing-session'
  /** The adapter serves many people and this call names none of them, or nobody that can be an owner. */
  | 'missing-owner'
  /** The call belongs to another person than the Hermes, or the thread, that it goes to. */
  | 'other-home'
  /** The adapter is bound to one session and the call names another; the call goes without memory. */
  | 'other-session'
  /** Something given to a call cannot be read. */
  | 'invalid-option'
  /** A chain has several inputs or outputs, or a prompt is one text, and nothing says which words are the user's or the answer. */
  | 'ambiguous-values'
  /** The chain's own memory failed; the call went on without its history. */
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
const warnOnce = (write: (line: string) => void): HermesWarningListener => {
  const seen = new Map<HermesWarningCode, Set<string>>()
  return ({ code, message }) => {
    const known = seen.get(code) ?? new Set()
    if (known.has(message) || known.size >= MAX_WARNINGS) return
    seen.set(code, known.add(message))
    write(`[hermes] ${message}`)
  }
}

/** A listener that never throws: the host's own, or the console. */
export const warningListener = (listener?: HermesWarningListener): HermesWarningListener => {
  // biome-ignore lint/suspicious/noConsole: wrong wiring must not be silent, and there is no listener yet to tell
  const tell = listener ?? warnOnce((line) => console.warn(line))
  return (warning) => {
    try {
      // The host's own listener may fail, now or later; there is nobody left to tell.
      Promise.resolve(tell(warning)).catch(() => {})
    } catch {
      // As above.
    }
  }
}

export const warnUnexpected = (warn: HermesWarningListener, cause: unknown): void =>
  warn({ code: 'unexpected', message: 'Hermes failed inside a call; the call went on without it. Please report the cause.', cause })
