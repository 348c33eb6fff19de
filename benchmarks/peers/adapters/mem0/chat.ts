/** mem0 with the AI SDK, as its quick start has it: search for each message, results in the system prompt, and `add` of both messages afterwards. */
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, type ModelMessage } from 'ai'
import type { Chat, Host } from '../../port.ts'
import { openMemory } from './memory.ts'

export const openChat = async (folder: string, _session: string, { url, fetch, instructions, history }: Host): Promise<Chat> => {
  const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none', ...(fetch && { fetch }) })
  const memory = openMemory(folder, `${url}/v1`)
  return {
    turn: async (content) => {
      const { results } = await memory.search(content, { filters: { user_id: 'person' } })
      const system = `${instructions}\nUser Memories:\n${results.map((each) => `- ${each.memory}`).join('\n')}`
      const messages = [...(history.load() as readonly ModelMessage[]), { role: 'user', content } as const]
      const { text, responseMessages } = await generateText({ model: openai.chat('gpt-5'), system, messages })
      await memory.add([...([{ role: 'user', content }] as const), { role: 'assistant', content: text }], { userId: 'person' })
      history.save([...messages, ...responseMessages])
    },
    close: async () => undefined,
  }
}
