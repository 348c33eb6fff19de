/** LangChain's createAgent alone, with a middleware that does nothing: the floor of everything built on it. */
import type { BaseMessage } from '@langchain/core/messages'
import { mapChatMessagesToStoredMessages, mapStoredMessagesToChatMessages, type StoredMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, createMiddleware, HumanMessage } from 'langchain'
import type { Chat, Host } from '../../port.ts'

export const openChat = async (_folder: string, _session: string, { url, fetch, instructions, history }: Host): Promise<Chat> => {
  const model = new ChatOpenAI({ model: 'gpt-4.1', apiKey: 'none', configuration: { baseURL: `${url}/v1`, ...(fetch && { fetch }) } })
  const noOp = createMiddleware({ name: 'NoOp', wrapModelCall: (request, handler) => handler(request) })
  const agent = createAgent({ model, systemPrompt: instructions, middleware: [noOp] })
  return {
    turn: async (text) => {
      const before = mapStoredMessagesToChatMessages(history.load() as StoredMessage[])
      const { messages } = await agent.invoke({ messages: [...before, new HumanMessage(text)] })
      history.save(mapChatMessagesToStoredMessages(messages as BaseMessage[]))
    },
    close: async () => undefined,
  }
}
