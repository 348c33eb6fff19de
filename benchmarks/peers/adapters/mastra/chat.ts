/** Mastra: an agent with working memory of the resource; Mastra stores the messages, and sends the last ten of them by default. */
import { createOpenAI } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import type { MastraModelConfig } from '@mastra/core/llm'
import { LibSQLStore } from '@mastra/libsql'
import { Memory } from '@mastra/memory'
import type { Chat, Host, ToolCall } from '../../port.ts'

export const openChat = async (folder: string, thread: string, { url, fetch, instructions }: Host): Promise<Chat> => {
  const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none', ...(fetch && { fetch }) })
  // Its types ask for more than the provider declares; its documentation passes the model as it is.
  const model = openai.chat('gpt-5') as unknown as MastraModelConfig
  const storage = new LibSQLStore({ id: 'memory', url: `file:${folder}/memory.db` })
  const memory = new Memory({ storage, options: { workingMemory: { enabled: true, scope: 'resource' } } })
  const agent = new Agent({ id: 'agent', name: 'Agent', instructions, model, memory })
  return {
    turn: async (text) => void (await agent.generate(text, { memory: { thread, resource: 'person' } })),
    close: async () => await storage.close(),
  }
}

/** The tool takes the whole memory. */
export const saves = (fact: string, known: readonly string[]): readonly ToolCall[] => [
  { name: 'updateWorkingMemory', arguments: { memory: [...known, fact].map((each) => `- ${each}`).join('\n') } },
]
