/** Anthropic's memory tool with its SDK's tool runner. The model looks into its memory in the first turn, as Anthropic's instructions tell it to. */
import Anthropic from '@anthropic-ai/sdk'
import { BetaLocalFilesystemMemoryTool, betaMemoryTool } from '@anthropic-ai/sdk/tools/memory/node'
import type { Chat, Host, ToolCall } from '../../port.ts'

type Message = Anthropic.Beta.BetaMessageParam

export const openChat = async (folder: string, _session: string, { url, fetch, instructions, history }: Host): Promise<Chat> => {
  const client = new Anthropic({ baseURL: url, apiKey: 'none', ...(fetch && { fetch }) })
  const tools = [betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(folder))]
  return {
    turn: async (content) => {
      const messages: Message[] = [...(history.load() as readonly Message[]), { role: 'user', content }]
      const runner = client.beta.messages.toolRunner({ model: 'claude', max_tokens: 1_000, system: instructions, messages, tools })
      const last = await runner.runUntilDone()
      const all = runner.params.messages
      history.save(all.at(-1)?.role === 'assistant' ? all : [...all, { role: 'assistant', content: last.content }])
    },
    close: async () => undefined,
  }
}

const PATH = '/memories/facts.md'

export const begins = (): readonly ToolCall[] => [{ name: 'memory', arguments: { command: 'view', path: PATH } }]

export const saves = (fact: string): readonly ToolCall[] => [
  { name: 'memory', arguments: { command: 'insert', path: PATH, insert_line: 1, insert_text: `${fact}\n` } },
]
