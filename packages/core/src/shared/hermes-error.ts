/** The error class of Hermes: a `code` for programs, and a message that says what to do next. */

export type HermesErrorCode =
  // memory operations
  | 'empty' // blank or missing text
  | 'invalid' // unknown target or action, delimiter inside an entry, malformed input
  | 'blocked' // it holds a threat or a credential
  | 'over_limit'
  | 'not_found'
  | 'ambiguous'
  | 'drift' // the file holds something a rewrite would lose
  | 'unreadable' // the file exists but is not valid UTF-8 or not readable
  | 'would_empty' // a batch would remove every entry
  | 'capped' // too many failed attempts in one turn
  | 'disabled' // this store is switched off
  // skills
  | 'read_only' // a shared skill, which is read here and never changed
  // storage
  | 'invalid_path' // leaves the home, or is not a valid document path
  | 'occupied' // the target of a move exists
  | 'locked' // another program holds the lock
  | 'no_space' // disk full or quota reached
  | 'unwritable' // no permission, or a read-only file system
  | 'closed' // the back end was closed
  | 'io' // any other input or output failure
  // external memory
  | 'provider' // a memory provider failed, or cannot do what was asked
  // review
  | 'model' // the host's model threw
  | 'timeout' // the host's model did not answer within the budget
  | 'unparseable' // the model's answer holds no proposals that can be read
  | 'proposer' // a proposer failed
  | 'gate' // a gate failed
  | 'superseded' // another review took over, or this one was called off
  | 'held' // waits for a person
  | 'rejected' // a gate said no

export interface HermesErrorOptions {
  readonly cause?: unknown
  /** Data for programs: candidates of an ambiguous match, path of a backup, characters over the limit. */
  readonly details?: Readonly<Record<string, unknown>>
}

const brand = Symbol.for('hermes.error')

export class HermesError extends Error {
  override readonly name = 'HermesError'
  readonly code: HermesErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: HermesErrorCode, message: string, options: HermesErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details ?? {}
    Object.defineProperty(this, brand, { value: true })
  }

  /** For logs: JSON would omit an error's message. Without the cause. */
  toJSON(): { readonly name: string; readonly code: HermesErrorCode; readonly message: string; readonly details: HermesError['details'] } {
    const { name, code, message, details } = this
    return { name, code, message, details }
  }

  /** Works across copies of the package (ESM beside CommonJS), unlike `instanceof`. */
  static isInstance(value: unknown): value is HermesError {
    return typeof value === 'object' && value !== null && brand in value
  }
}

/** What was thrown, in words. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
