/** A message as an adapter passes it, before ids and origins are assigned. */
export interface TurnMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  /** Plain text; anything else (images, files) is omitted or named in brackets. */
  readonly text: string
  /** Names of the tools that this message calls (assistant) or answers (tool). */
  readonly toolNames?: readonly string[]
  /** True for text that is not the speaker's own: a file or document part of a user message, recalled memory, a cited source of an answer. */
  readonly outside?: boolean
  /** The host's id of a user's message: the same id with the same text is the same turn, also on another branch of the conversation. */
  readonly id?: string
  /** The speaker's name, if the host gives one: then it is not this user. */
  readonly name?: string
  /** For tool results: the tool reported an error. */
  readonly failed?: boolean
  /** For tool results: the host vouches for the tool. Set by the session, never by an adapter. */
  readonly trusted?: boolean
}

/** True for the user's own words. */
export const isOwnMessage = (message: TurnMessage): boolean =>
  message.role === 'user' && message.outside !== true && message.name === undefined
