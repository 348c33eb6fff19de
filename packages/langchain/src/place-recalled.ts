/** Appends recalled text to copies of the user's messages. Pure; does not change the host's objects. */
import { placeFences } from '@hermes/core/adapter'
import type { BaseMessage } from '@langchain/core/messages'
import { withFields } from './message-texts.ts'
import { isUserMessage } from './to-turn-messages.ts'

/** `fences`: by the position of the message among the user's messages. The same array if there are none. */
export const placeRecalled = (messages: readonly BaseMessage[], fences: ReadonlyMap<number, string>): readonly BaseMessage[] =>
  placeFences(messages, fences, { isOwn: isUserMessage, withContent: (message, content) => withFields(message, { content }) })
