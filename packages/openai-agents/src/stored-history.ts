/**
 * Conversations that the provider stores (`conversationId`, `previousResponseId`): a request then holds only what is new. What this process has seen of such a
 * conversation is put in front again, so that turns are told apart; what it has not seen counts as text from outside.
 */
import type { Session, TurnMessage } from '@hermes/core'
import type { ModelRequest } from './agents-protocol.ts'
import { HIDDEN_HISTORY } from './items.ts'

/** Maximum number of conversations and responses to remember for a session, and of messages in each. */
const MAX_REMEMBERED = 8
const MAX_MESSAGES = 100

// By session: an id that two people share must not carry the words of one to the other. For all models, as a hand-off goes from one to another.
const seenBy = new WeakMap<Session, Map<string, readonly TurnMessage[]>>()

/** The messages ahead of this request's; empty if the request holds the whole conversation. */
export const historyBefore = (session: Session, { conversationId, previousResponseId }: ModelRequest): readonly TurnMessage[] => {
  const key = conversationId ?? previousResponseId
  return key === undefined ? [] : (seenBy.get(session)?.get(key) ?? [HIDDEN_HISTORY])
}

export const noteHistory = (session: Session, request: ModelRequest, responseId: unknown, messages: readonly TurnMessage[]): void => {
  const key = request.conversationId ?? responseId
  if (typeof key !== 'string' || key === '') return
  const seen = seenBy.get(session) ?? new Map<string, readonly TurnMessage[]>()
  seenBy.set(session, seen)
  seen.delete(key)
  seen.set(key, messages.length > MAX_MESSAGES ? [HIDDEN_HISTORY, ...messages.slice(-MAX_MESSAGES)] : messages)
  const [oldest] = seen.keys()
  if (seen.size > MAX_REMEMBERED && oldest !== undefined) seen.delete(oldest)
}
