/** A message as an adapter hands it over, before ids and origins are stamped. */
export interface TurnMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  /** Plain text; what is not text (images, files) is left out or named in brackets. */
  readonly text: string
  /** Names of the tools this message calls (assistant) or answers for (tool). */
  readonly toolNames?: readonly string[]
  /** True for text inside a user message that is not the person's own: a file, a document part, recalled memory. */
  readonly outside?: boolean
}
