/** A message as an adapter hands it over, before ids and origins are stamped. */
export interface TurnMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  /** Plain text; what is not text (images, files) is left out or named in brackets. */
  readonly text: string
  /** Names of the tools this message calls (assistant) or answers for (tool). */
  readonly toolNames?: readonly string[]
  /** True for text that is not the speaker's own: a file or document part of a user message, recalled memory, a source an answer leans on. */
  readonly outside?: boolean
  /** Of a tool's answer: true where the session knows it for the agent's own work, or the host trusts the tool. Set by the session, never by an adapter. */
  readonly trusted?: boolean
}

/** The person's own words. */
export const isOwnMessage = (message: TurnMessage): boolean => message.role === 'user' && message.outside !== true
