/** Cloudflare's agents/context: one writable block. In its own use one Durable Object owns the data; here SQLite in a file stands in for it. */
import { randomUUID } from 'node:crypto'
import { AgentContextProvider, ContextBlocks } from 'agents/context'
import type { OpenStore } from '../../port.ts'
import { openSqlite } from './sqlite.ts'

export const openStore: OpenStore = async (folder) => {
  const database = openSqlite(`${folder}/memory.db`)
  const provider = new AgentContextProvider(database, 'memory')
  const known = async (): Promise<string> => (await provider.get()) ?? ''
  return {
    write: async (fact) => {
      const before = await known()
      await provider.set(before === '' ? fact : `${before}\n${fact}`)
    },
    read: known,
    block: () => {
      const prompt = new AgentContextProvider(database, `_system_prompt-${randomUUID()}`)
      return new ContextBlocks([{ label: 'memory', description: 'Learned facts', provider }], prompt).freezeSystemPrompt()
    },
    close: async () => database.close(),
  }
}
