/** The promises of a storage on a file of SQLite. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { storageConformance } from '@hermes/core/testing'
import { sqliteBackend } from '../src/index.ts'
import { newFolder } from './support/temporary-folder.ts'

storageConformance('SQLite', async () => {
  const folder = newFolder()
  const file = join(folder, 'hermes.db')
  return {
    open: async () => sqliteBackend(file, { timeoutMs: 60_000 }),
    dispose: async () => rmSync(folder, { recursive: true }),
  }
})
