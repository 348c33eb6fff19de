/** deepagents: an agent whose memory file is read once for each thread; the checkpointer keeps thread and memory. */
import { basename } from 'node:path'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { ChatOpenAI } from '@langchain/openai'
import { createDeepAgent, FilesystemBackend } from 'deepagents'
import type { Chat, Host, ToolCall } from '../../port.ts'

export const openChat = async (folder: string, session: string, { url, fetch, instructions }: Host): Promise<Chat> => {
  const model = new ChatOpenAI({ model: 'gpt-4.1', apiKey: 'none', configuration: { baseURL: `${url}/v1`, ...(fetch && { fetch }) } })
  const checkpointer = PostgresSaver.fromConnString(process.env['PEERS_POSTGRES_URL'] ?? '')
  await checkpointer.setup()
  const backend = new FilesystemBackend({ rootDir: folder, virtualMode: true })
  const agent = createDeepAgent({ model, systemPrompt: instructions, memory: ['/AGENTS.md'], backend, checkpointer })
  const configurable = { thread_id: `${basename(folder)}-${session}` }
  return {
    turn: async (text) => void (await agent.invoke({ messages: [{ role: 'user', content: text }] }, { configurable })),
    close: () => checkpointer.end(),
  }
}

export const saves = (fact: string): readonly ToolCall[] => [
  { name: 'edit_file', arguments: { file_path: '/AGENTS.md', old_string: '# Memory\n', new_string: `# Memory\n- ${fact}\n` } },
]
