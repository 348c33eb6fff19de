/** The models by their names in the app. Those that talk to a person have memory; those that write titles and documents have none. */
import { createOpenAI } from '@ai-sdk/openai'
import { withHermes } from '@hermes/ai-sdk'
import { customProvider, extractReasoningMiddleware, wrapLanguageModel } from 'ai'
import { homes } from '@/lib/hermes.ts'

const openai = createOpenAI({ baseURL: process.env.MODEL_URL, apiKey: 'local' })

const reasoning = wrapLanguageModel({ model: openai.chat('reasoning'), middleware: extractReasoningMiddleware({ tagName: 'think' }) })

export const myProvider = customProvider({
  languageModels: {
    'chat-model': withHermes(openai.chat('chat'), homes),
    'chat-model-reasoning': withHermes(reasoning, homes),
    'title-model': openai.chat('title'),
    'artifact-model': openai.chat('artifact'),
  },
})
