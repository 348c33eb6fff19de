/** Hermes for TypeScript behind LangChain's createAgent. The app keeps the messages. */
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { hostModel } from '@hermes/langchain'
import { hermesMiddleware } from '@hermes/langchain/agent'
import {
  type BaseMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
} from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, HumanMessage } from 'langchain'
import type { Chat, Host, ToolCall } from '../../port.ts'

const LIMIT = 32_768

export const openChat = async (folder: string, session: string, { url, fetch, instructions, history }: Host): Promise<Chat> => {
  const configuration = { baseURL: `${url}/v1`, ...(fetch && { fetch }) }
  const model = new ChatOpenAI({ model: 'gpt-4.1', apiKey: 'none', configuration })
  const review = { model: hostModel(new ChatOpenAI({ model: 'background', apiKey: 'none', configuration })) }
  const hermes = createHermes({ storage: fileSystemBackend(folder), memory: { memoryCharLimit: LIMIT }, review })
  const agent = createAgent({ model, systemPrompt: instructions, middleware: [hermesMiddleware(hermes)] })
  const configurable = { thread_id: session }
  return {
    turn: async (text) => {
      const before = mapStoredMessagesToChatMessages(history.load() as StoredMessage[])
      const { messages } = await agent.invoke({ messages: [...before, new HumanMessage(text)] }, { configurable })
      history.save(mapChatMessagesToStoredMessages(messages as BaseMessage[]))
    },
    settled: () => hermes.settled(),
    close: () => hermes.close(),
  }
}

export const saves = (content: string): readonly ToolCall[] => [{ name: 'memory', arguments: { action: 'add', target: 'memory', content } }]
