/** OpenAI's protocol, for mem0's open-source edition: embeddings by words, and a model that takes what the user said for a fact. */
import { startService } from './local-service.ts'
import { vectorOf } from './word-embeddings.ts'

interface EmbeddingsRequest {
  readonly input: string | readonly string[]
}

interface ChatRequest {
  readonly messages: readonly { readonly content: string }[]
}

/** mem0 puts the turn at the end of its prompt, as `user: …`. */
const factsIn = (prompt: string): readonly { text: string }[] =>
  [...prompt.matchAll(/^user: (.+)$/gm)].map(([, said = '']) => ({ text: said }))

export const startOpenAi = (): Promise<string> =>
  startService(({ url, body }) => {
    if (url.pathname === '/embeddings') {
      const { input } = body as unknown as EmbeddingsRequest
      const data = [input].flat().map((text, index) => ({ index, embedding: vectorOf(text), object: 'embedding' }))
      return { body: { object: 'list', data, model: 'words', usage: { prompt_tokens: 1, total_tokens: 1 } } }
    }
    if (url.pathname !== '/chat/completions') return undefined
    const { messages } = body as unknown as ChatRequest
    const content = JSON.stringify({ memory: factsIn(messages.at(-1)?.content ?? '') })
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }]
    return { body: { id: 'answer', object: 'chat.completion', created: 0, model: 'rules', choices } }
  })
