/** VoltAgent: a fact is appended to the working memory, as the agent's own tool does. Without `mode`, `updateWorkingMemory` of this version replaces. */
import type { OpenStore } from '../../port.ts'
import { openMemory } from './memory.ts'

const USER = { userId: 'person' }

export const openStore: OpenStore = async (folder) => {
  const memory = openMemory(folder)
  const read = async (): Promise<string> => (await memory.getWorkingMemory(USER)) ?? ''
  return {
    write: (fact) => memory.updateWorkingMemory({ ...USER, content: `- ${fact}`, options: { mode: 'append' } }),
    read,
    block: async () => (await memory.getWorkingMemoryInstructions(USER)) ?? '',
    close: async () => undefined,
  }
}
