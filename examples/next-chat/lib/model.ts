/** One model for everyone: each call names whose memory it uses. OpenAI where there is a key, otherwise a scripted stand-in. `PROMPTS` names a file that gets every prompt as one JSON line, exactly as sent. */
import { appendFileSync } from 'node:fs'
import { openai } from '@ai-sdk/openai'
import { hermesMiddleware } from '@hermes/ai-sdk'
import { scriptedModel } from '@hermes/example-scripted-model/ai-sdk'
import { type LanguageModelMiddleware, wrapLanguageModel } from 'ai'
import { homes } from './homes.ts'

const { OPENAI_API_KEY: key = '', OPENAI_MODEL: name = 'gpt-6-luna', PROMPTS: file = '' } = process.env

const WORD_DELAY_MS = 15

const recorder: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  transformParams: async ({ params }) => {
    const purpose = params.providerOptions?.['hermes']?.['purpose'] ?? 'turn'
    if (file !== '') appendFileSync(file, `${JSON.stringify({ purpose, prompt: params.prompt })}\n`, { mode: 0o600 })
    return params
  },
}

export const model = wrapLanguageModel({
  model: key === '' ? scriptedModel({ wordDelayMs: WORD_DELAY_MS }) : openai(name),
  // The first sees a call first, so the recorder gets the prompt with the memory in it.
  middleware: [hermesMiddleware(homes), recorder],
})
