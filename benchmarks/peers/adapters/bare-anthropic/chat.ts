/** Anthropic's SDK alone: the floor of its memory tool. */
import Anthropic from '@anthropic-ai/sdk'
import type { Chat, Host } from '../../port.ts'

type Message = Anthropic.MessageParam

export const openChat = async (_folder: string, _session: string, { url, fetch, instructions, history }: Host): Promise<Chat> => {
  const client = new Anthropic({ baseURL: url, apiKey: 'none', ...(fetch && { fetch }) })
  return {
    turn: async (content) => {
      const messages: Message[] = [...(history.load() as readonly Message[]), { role: 'user', content }]
      const answer = await client.messages.create({ model: 'claude', max_tokens: 1_000, system: instructions, messages })
      history.save([...messages, { role: 'assistant', content: answer.content }])
    },
    close: async () => undefined,
  }
}
