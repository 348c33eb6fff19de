/** `@hermes/recall` over an index in a SQLite file. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recallProvider, sqliteRecallIndex } from '@hermes/recall'
import { providerSubject } from './provider-subject.ts'
import type { RecallSubject } from './recall-subject.ts'

const sizeOf = async (folder: string): Promise<number> => {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

export const sqliteSubject: RecallSubject = providerSubject('ours, SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-recall-'))
  return {
    provider: recallProvider({ index: sqliteRecallIndex({ folder }) }),
    size: () => sizeOf(folder),
    dispose: () => rm(folder, { recursive: true, force: true }),
  }
})
