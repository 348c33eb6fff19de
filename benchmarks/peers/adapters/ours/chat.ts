/** Hermes for TypeScript behind the AI SDK. Reviews go to a model of their own, so that they are counted as background. */
import { createOpenAI } from '@ai-sdk/openai'
import { hermesMiddleware, hermesTools, hostModel } from '@hermes/ai-sdk'
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { generateText, type ModelMessage, stepCountIs, wrapLanguageModel } from 'ai'
import type { Chat, Host, ToolCall } from '../../port.ts'

const LIMIT = 32_768

export const openChat = async (folder: string, id: string, { url, fetch, instructions, history }: Host): Promise<Chat> => {
  const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none', ...(fetch && { fetch }) })
  const review = { model: hostModel(openai.chat('background')) }
  const hermes = createHermes({ storage: fileSystemBackend(folder), memory: { memoryCharLimit: LIMIT }, review })
  const session = hermes.session(id)
  const model = wrapLanguageModel({ model: openai.chat('gpt-5'), middleware: hermesMiddleware(session) })
  const tools = hermesTools(session)
  return {
    turn: async (text) => {
      const messages = [...(history.load() as readonly ModelMessage[]), { role: 'user', content: text } as const]
      const { responseMessages } = await generateText({ model, tools, stopWhen: stepCountIs(5), system: instructions, messages })
      history.save([...messages, ...responseMessages])
    },
    settled: () => hermes.settled(),
    close: () => hermes.close(),
  }
}

export const saves = (content: string): readonly ToolCall[] => [{ name: 'memory', arguments: { action: 'add', target: 'memory', content } }]
