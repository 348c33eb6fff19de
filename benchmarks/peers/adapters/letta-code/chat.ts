/** Letta Code: one process for the conversation, with the prompt and the coding tools that it always has. */
import type { Chat, Host, ToolCall } from '../../port.ts'
import { openAgent } from './agent.ts'

export const openChat = async (folder: string, _session: string, { url }: Host): Promise<Chat> => {
  const agent = await openAgent(folder, url)
  return { turn: (text) => agent.ask(text), close: () => agent.close() }
}

export const saves = (fact: string): readonly ToolCall[] => [
  {
    name: 'memory',
    arguments: { command: 'str_replace', reason: 'A fact', file_path: 'system/facts.md', old_string: '# Facts', new_string: `# Facts\n- ${fact}` },
  },
]
