/** Text that was replaced or removed is not in the files once the storage is closed. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { moveDocuments, updateDocument } from '@hermes/core/storage'
import { expect, it } from 'vitest'
import { sqliteBackend } from '../src/index.ts'
import { bytes, unwrap } from './support/entries.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

it('leaves no erased text behind', async () => {
  const folder = temporaryFolder()
  const holding = () => readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes('a secret'))
  const storage = sqliteBackend(join(folder, 'hermes.db'))
  const secret = bytes('a secret '.repeat(5_000))
  for (const path of ['removed', 'replaced', 'moved']) unwrap(await updateDocument(storage, path, () => secret))
  expect(holding()).not.toEqual([])
  unwrap(await updateDocument(storage, 'removed', () => undefined))
  unwrap(await updateDocument(storage, 'replaced', () => bytes('text')))
  unwrap(await moveDocuments(storage, 'moved', 'elsewhere'))
  unwrap(await updateDocument(storage, 'elsewhere', () => undefined))
  await storage.close()
  expect(readdirSync(folder)).toEqual(['hermes.db'])
  expect(holding()).toEqual([])
})
