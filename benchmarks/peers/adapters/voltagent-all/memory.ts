/** VoltAgent: working memory of the user in libSQL. */
import { Memory } from '@voltagent/core'
import { LibSQLMemoryAdapter } from '@voltagent/libsql'

export const openMemory = (folder: string): Memory =>
  new Memory({
    storage: new LibSQLMemoryAdapter({ url: `file:${folder}/memory.db` }),
    workingMemory: { enabled: true, scope: 'user' },
  })
