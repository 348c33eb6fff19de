/** A LangGraph agent with a long-term store: memories are read into the system prompt, and a tool saves one, as in its documentation. */
import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { PostgresStore } from '@langchain/langgraph-checkpoint-postgres/store'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, dynamicSystemPromptMiddleware, tool } from 'langchain'
import { z } from 'zod'
import type { Chat, Host, ToolCall } from '../../port.ts'

export const openChat = async (folder: string, session: string, { url, fetch, instructions }: Host): Promise<Chat> => {
  const model = new ChatOpenAI({ model: 'gpt-4.1', apiKey: 'none', configuration: { baseURL: `${url}/v1`, ...(fetch && { fetch }) } })
  const address = process.env['PEERS_POSTGRES_URL'] ?? ''
  const store = PostgresStore.fromConnString(address)
  const checkpointer = PostgresSaver.fromConnString(address)
  await store.setup()
  await checkpointer.setup()
  const namespace = [basename(folder), 'memories']
  const saveMemory = tool(
    async ({ text }) => {
      await store.put(namespace, randomUUID(), { text })
      return 'Saved.'
    },
    { name: 'save_memory', description: 'Save a fact about the user.', schema: z.object({ text: z.string() }) },
  )
  const prompt = dynamicSystemPromptMiddleware(async () => {
    const items = await store.search(namespace, { limit: 10_000 })
    return `${instructions}\nWhat you know about the user:\n${items.map(({ value }) => `- ${value['text']}`).join('\n')}`
  })
  const agent = createAgent({ model, tools: [saveMemory], store, checkpointer, middleware: [prompt] })
  const configurable = { thread_id: `${basename(folder)}-${session}` }
  return {
    turn: async (text) => void (await agent.invoke({ messages: [{ role: 'user', content: text }] }, { configurable })),
    close: async () => {
      await store.stop()
      await checkpointer.end()
    },
  }
}

export const saves = (text: string): readonly ToolCall[] => [{ name: 'save_memory', arguments: { text } }]
