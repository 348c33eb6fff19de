/** Mastra: working memory of a resource in libSQL. A write gives the whole text, as the agent's own tool does. */
import { LibSQLStore } from '@mastra/libsql'
import { Memory } from '@mastra/memory'
import type { OpenStore } from '../../port.ts'

const WHERE = { threadId: 'measured', resourceId: 'person' }

export const openStore: OpenStore = async (folder) => {
  const storage = new LibSQLStore({ id: 'memory', url: `file:${folder}/memory.db` })
  await storage.init()
  const memory = new Memory({ storage, options: { workingMemory: { enabled: true, scope: 'resource' } } })
  if (!(await memory.getThreadById({ threadId: WHERE.threadId }))) await memory.createThread({ ...WHERE })
  const known = async (): Promise<string> => (await memory.getWorkingMemory(WHERE)) ?? ''
  return {
    write: async (fact) => {
      const before = await known()
      await memory.updateWorkingMemory({ ...WHERE, workingMemory: before === '' ? `- ${fact}` : `${before}\n- ${fact}` })
    },
    read: known,
    block: async () => (await memory.getSystemMessage(WHERE)) ?? '',
    close: async () => await storage.close(),
  }
}
