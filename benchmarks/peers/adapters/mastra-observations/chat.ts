/** Mastra: an agent with observational memory. Mastra stores the messages, and sends its observations with those messages that are not observed yet. */
import { createOpenAI } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import type { MastraModelConfig } from '@mastra/core/llm'
import type { Chat, Host } from '../../port.ts'
import { openMemory, WHERE } from './memory.ts'

/** Mastra's default. */
const MESSAGE_TOKENS = 30_000

export const openChat = async (folder: string, _session: string, { url, fetch, instructions }: Host): Promise<Chat> => {
  const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none', ...(fetch && { fetch }) })
  const { memory, storage } = openMemory(folder, openai, MESSAGE_TOKENS)
  const model = openai.chat('gpt-5') as unknown as MastraModelConfig
  const agent = new Agent({ id: 'agent', name: 'Agent', instructions, model, memory })
  return {
    turn: async (text) => void (await agent.generate(text, { memory: { thread: WHERE.threadId, resource: WHERE.resourceId } })),
    settled: () => memory.settled(),
    close: async () => await storage.close(),
  }
}
