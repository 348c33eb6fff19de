/** The AI SDK alone, with a middleware that does nothing: the floor of everything built on it. */
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, type ModelMessage, wrapLanguageModel } from 'ai'
import type { Chat, Host } from '../../port.ts'

export const openChat = async (_folder: string, _session: string, { url, fetch, instructions, history }: Host): Promise<Chat> => {
  const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none', ...(fetch && { fetch }) })
  const model = wrapLanguageModel({
    model: openai.chat('gpt-5'),
    middleware: { specificationVersion: 'v4', wrapGenerate: ({ doGenerate }) => doGenerate() },
  })
  return {
    turn: async (text) => {
      const messages = [...(history.load() as readonly ModelMessage[]), { role: 'user', content: text } as const]
      const { responseMessages } = await generateText({ model, system: instructions, messages })
      history.save([...messages, ...responseMessages])
    },
    close: async () => undefined,
  }
}
