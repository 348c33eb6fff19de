/** A kind of statement with its values, and questions about it in words that are near to it or far from it. */

export interface FactKind {
  readonly id: string
  readonly values: readonly string[]
  /** What the user says, with `{value}` and, unless the user speaks of themselves, `{who}`. */
  readonly said: readonly string[]
  /** What the assistant answers. */
  readonly replies: readonly string[]
  /** A later statement with another value. A kind without any never changes. */
  readonly changed?: readonly string[]
  /** How the conversation goes on about it: `request | answer`. */
  readonly after: readonly string[]
  readonly asked: {
    /** At least half of the content words are in every statement. */
    readonly same: readonly string[]
    readonly partly: readonly string[]
    /** No content word is in any statement, except `{who}`. */
    readonly other: readonly string[]
  }
}
