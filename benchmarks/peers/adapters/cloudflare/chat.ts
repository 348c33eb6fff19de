/** Cloudflare's agents/context with the AI SDK: the frozen prompt is stored for the session, as `promptStore`. */
import { createOpenAI } from '@ai-sdk/openai'
import { AgentContextProvider, ContextBlocks } from 'agents/context'
import { generateText, type ModelMessage, stepCountIs } from 'ai'
import type { Chat, Host, ToolCall } from '../../port.ts'
import { openSqlite } from './sqlite.ts'

export const openChat = async (folder: string, session: string, { url, fetch, instructions, history }: Host): Promise<Chat> => {
  const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none', ...(fetch && { fetch }) })
  const database = openSqlite(`${folder}/memory.db`)
  const context = new ContextBlocks(
    [
      { label: 'soul', provider: { get: async () => instructions } },
      { label: 'memory', description: 'Learned facts', provider: new AgentContextProvider(database, 'memory') },
    ],
    new AgentContextProvider(database, `_system_prompt-${session}`),
  )
  const tools = async () => await context.tools()
  return {
    turn: async (text) => {
      const messages = [...(history.load() as readonly ModelMessage[]), { role: 'user', content: text } as const]
      const system = await context.freezeSystemPrompt()
      const model = openai.chat('gpt-5')
      const { responseMessages } = await generateText({ model, system, messages, tools: await tools(), stopWhen: stepCountIs(5) })
      history.save([...messages, ...responseMessages])
    },
    close: async () => database.close(),
  }
}

export const saves = (fact: string): readonly ToolCall[] => [
  { name: 'set_context', arguments: { label: 'memory', content: fact, action: 'append' } },
]
