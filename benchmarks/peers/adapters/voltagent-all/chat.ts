/** VoltAgent: an agent with working memory of the user; VoltAgent stores the messages, and is told to send all of them. */
import { createOpenAI } from '@ai-sdk/openai'
import { Agent } from '@voltagent/core'
import type { Chat, Host, ToolCall } from '../../port.ts'
import { openMemory } from './memory.ts'

export const openChat = async (folder: string, conversationId: string, { url, fetch, instructions }: Host): Promise<Chat> => {
  const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none', ...(fetch && { fetch }) })
  const agent = new Agent({ name: 'agent', instructions, model: openai.chat('gpt-5'), memory: openMemory(folder) })
  return {
    turn: async (text) => void (await agent.generateText(text, { userId: 'person', conversationId, contextLimit: 1_000 })),
    close: async () => undefined,
  }
}

export const saves = (fact: string): readonly ToolCall[] => [{ name: 'update_working_memory', arguments: { content: `- ${fact}` } }]
