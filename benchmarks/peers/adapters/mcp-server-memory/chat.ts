/** The memory server of MCP behind the AI SDK's own MCP client. The model reads the graph in the first turn, as the server's README tells it to. */
import { createMCPClient } from '@ai-sdk/mcp'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, type ModelMessage, stepCountIs } from 'ai'
import type { Chat, Host, ToolCall } from '../../port.ts'
import { openTransport } from './client.ts'

export const openChat = async (folder: string, _session: string, { url, fetch, instructions, history }: Host): Promise<Chat> => {
  const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none', ...(fetch && { fetch }) })
  const client = await createMCPClient({ transport: openTransport(folder) })
  const tools = await client.tools()
  return {
    turn: async (text) => {
      const messages = [...(history.load() as readonly ModelMessage[]), { role: 'user', content: text } as const]
      const model = openai.chat('gpt-5')
      const { responseMessages } = await generateText({ model, tools, stopWhen: stepCountIs(5), system: instructions, messages })
      history.save([...messages, ...responseMessages])
    },
    close: () => client.close(),
  }
}

export const begins = (): readonly ToolCall[] => [{ name: 'read_graph', arguments: {} }]

export const saves = (fact: string): readonly ToolCall[] => [
  { name: 'add_observations', arguments: { observations: [{ entityName: 'user', contents: [fact] }] } },
]
