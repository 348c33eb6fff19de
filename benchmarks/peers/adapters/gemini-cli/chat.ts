/** Gemini CLI: the instructions are its GEMINI.md. Its agent, with the coding tools that it always has. After the conversation the session is learned from. */
import { mkdir, writeFile } from 'node:fs/promises'
import { getProjectMemoryIndexFilePath, LegacyAgentSession } from '@google/gemini-cli-core'
import type { Chat, Host, ToolCall } from '../../port.ts'
import { learnFromSessions, openConfig } from './gemini.ts'

let memoryFile = ''

export const openChat = async (folder: string, session: string, { url, fetch, instructions }: Host): Promise<Chat> => {
  if (fetch) globalThis.fetch = fetch
  await mkdir(`${folder}/project`, { recursive: true })
  await writeFile(`${folder}/project/GEMINI.md`, instructions)
  const config = await openConfig(folder, url, session)
  memoryFile = getProjectMemoryIndexFilePath(config.storage)
  const agent = new LegacyAgentSession({ config })
  return {
    turn: async (text) => {
      for await (const event of agent.sendStream({ message: { content: [{ type: 'text', text }] } }))
        if (event.type === 'error') throw new Error(event.message)
    },
    close: async () => await learnFromSessions(config),
  }
}

export const saves = (fact: string): readonly ToolCall[] => [
  {
    name: 'replace',
    arguments: {
      file_path: memoryFile,
      instruction: 'Remember the fact.',
      old_string: '# Memory\n',
      new_string: `# Memory\n- ${fact}\n`,
    },
  },
]
