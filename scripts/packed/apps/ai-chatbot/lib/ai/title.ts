import { generateText } from 'ai'
import { TITLE_PROMPT } from '@/lib/ai/prompts.ts'
import { myProvider } from '@/lib/ai/providers.ts'
import type { ChatMessage } from '@/lib/types.ts'

export const titleOf = async (message: Pick<ChatMessage, 'parts'>): Promise<string> => {
  const prompt = JSON.stringify(message.parts)
  return (await generateText({ model: myProvider.languageModel('title-model'), instructions: TITLE_PROMPT, prompt })).text
}
