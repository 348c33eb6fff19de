/** A database of conversations, for hosts that store whole conversations themselves. */
import type { AdapterHost, AdapterHostSetup, SendOptions } from '@hermes/testing'
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { messageType } from '../../src/message-type.ts'

export interface Turn {
  readonly sessionId: string
  readonly text: string
  /** All messages before this turn. */
  readonly history: readonly BaseMessage[]
  readonly options: SendOptions
}

export interface Answered {
  readonly text: string
  /** Messages that the turn added after the user's message. Default: the text as an answer. */
  readonly added?: readonly BaseMessage[]
}

/** Includes the owner, since two owners may have sessions of the same id. With a single owner, the suite uses the session id alone. */
export const conversationKey = (sessionId: string, owner: SendOptions['owner']): string =>
  owner === undefined ? sessionId : JSON.stringify([owner.tenant ?? null, owner.user, sessionId])

/** An owner in LangChain's configuration. */
export const ownerKeys = (owner: SendOptions['owner']): { readonly user_id?: string; readonly tenant_id?: string } => {
  if (owner === undefined) return {}
  return { user_id: owner.user, ...(owner.tenant === undefined ? {} : { tenant_id: owner.tenant }) }
}

/** `answer` runs one turn through the framework. */
export const conversingHost = ({ conversations }: AdapterHostSetup, answer: (turn: Turn) => Promise<Answered>): AdapterHost => ({
  async send(sessionId, text, options = {}) {
    const key = conversationKey(sessionId, options.owner)
    const known = (conversations.get(key) ?? []) as readonly BaseMessage[]
    const asked = known.findLastIndex((message) => messageType(message) === 'human')
    const messages = options.regenerate === true ? known.slice(0, asked + 1) : [...known, new HumanMessage(text)]
    conversations.set(key, messages)
    const answered = await answer({ sessionId, text, history: messages.slice(0, -1), options })
    conversations.set(key, [...messages, ...(answered.added ?? [new AIMessage(answered.text)])])
    return { text: answered.text }
  },
  async ask(sessionId, question, options = {}) {
    const { text } = await answer({ sessionId, text: question, history: [], options })
    return { text }
  },
})
