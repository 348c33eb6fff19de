/** The host's database of conversations, for hosts that keep whole conversations themselves. */
import type { AdapterHost, AdapterHostSetup, SendOptions } from '@hermes/core/testing'
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { messageType } from '../../src/message-type.ts'

export interface Turn {
  readonly sessionId: string
  readonly text: string
  /** All that was said before. */
  readonly history: readonly BaseMessage[]
  readonly options: SendOptions
}

export interface Answered {
  readonly text: string
  /** What the turn added behind the user's message. Default: the text as an answer. */
  readonly added?: readonly BaseMessage[]
}

/** `answer` runs one turn through the framework. */
export const conversingHost = ({ conversations }: AdapterHostSetup, answer: (turn: Turn) => Promise<Answered>): AdapterHost => ({
  async send(sessionId, text, options = {}) {
    const known = (conversations.get(sessionId) ?? []) as readonly BaseMessage[]
    const asked = known.findLastIndex((message) => messageType(message) === 'human')
    const messages = options.regenerate === true ? known.slice(0, asked + 1) : [...known, new HumanMessage(text)]
    conversations.set(sessionId, messages)
    const answered = await answer({ sessionId, text, history: messages.slice(0, -1), options })
    conversations.set(sessionId, [...messages, ...(answered.added ?? [new AIMessage(answered.text)])])
    return { text: answered.text }
  },
  async ask(sessionId, question) {
    const { text } = await answer({ sessionId, text: question, history: [], options: {} })
    return { text }
  },
})
