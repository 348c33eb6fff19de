/** Text that was replaced or removed is not in the files once the storage is closed, or once an update has resolved that forgets. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sqliteBackend } from '../src/sqlite-backend.ts'
import { append, bytes, move, put, textAt, unwrap } from './support/entries.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const SECRET = 'a secret '.repeat(5_000)

const withSecrets = async () => {
  const folder = temporaryFolder()
  const holding = () => readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes('a secret'))
  const file = join(folder, 'hermes.db')
  const storage = sqliteBackend(file)
  for (const path of ['removed', 'replaced', 'moved']) unwrap(await put(storage, path, SECRET))
  unwrap(await put(storage, 'log', 'text\n'))
  for (let time = 0; time < 100; time++) unwrap(await append(storage, 'log', 'a secret\n'))
  expect(holding()).not.toEqual([])
  return { folder, file, holding, storage }
}

it('leaves no erased text behind', async () => {
  const { folder, holding, storage } = await withSecrets()
  unwrap(await put(storage, 'removed', null))
  unwrap(await put(storage, 'replaced', 'text'))
  unwrap(await put(storage, 'log', 'text'))
  unwrap(await move(storage, 'moved', 'elsewhere'))
  unwrap(await put(storage, 'elsewhere', null))
  await storage.close()
  expect(readdirSync(folder)).toEqual(['hermes.db'])
  expect(holding()).toEqual([])
})

it('leaves none once an update that forgets has resolved, with other connections open', async () => {
  const { file, holding, storage } = await withSecrets()
  const other = sqliteBackend(file)
  expect(await textAt(other, 'replaced')).toBe(SECRET)
  const paths = ['removed', 'replaced', 'moved', 'log']
  const plan = () => ({ put: { removed: null, replaced: bytes('text'), moved: null, log: bytes('') }, value: 'done' })
  // Listings hold a state of the tree while the update wants to empty the log.
  const listings = Promise.all(Array.from({ length: 5 }, () => other.list('')))
  expect(unwrap(await storage.update(paths, plan, { forget: true }))).toBe('done')
  expect(holding()).toEqual([])
  for (const listed of await listings) expect(unwrap(listed).length).toBeGreaterThan(1)
  unwrap(await append(other, 'log', 'more'))
  expect(await textAt(storage, 'log')).toBe('more')
  await Promise.all([storage.close(), other.close()])
})
