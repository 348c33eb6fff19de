/** What newer Python Hermes took out of memory: listed, restored, exported and erased here, and its file is changed by nothing but erasing. */
import { expect, it } from 'vitest'
import { createHermes } from '../../src/create-hermes.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { unwrap } from '../support/skill-library.ts'

const PATH = 'memories/ARCHIVE.jsonl'
const SECRET = 'The key is sk-proj-Ab3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5hJ7k'

const LINES = [
  { id: '1f', ts: '2026-08-03T10:00:00+00:00', store: 'memory', action: 'removed', entry: 'Builds with make' },
  { ts: 1_788_000_000, store: 'user', action: 'superseded', reason: 'moved', entry: 'Lives in Porto' },
  { target: 'user', entry: 'Drinks coffee', evicted_at: '2026-11-01T00:00:00Z' },
  { store: 'memory', entry: SECRET },
]

const write = async (storage: StorageBackend, path: string, text: string): Promise<void> => {
  await updateDocument(storage, path, () => new TextEncoder().encode(text))
}

const read = async (storage: StorageBackend, path: string): Promise<string> =>
  new TextDecoder().decode(unwrap(await readDocument(storage, path))?.bytes)

const setUp = async (text = LINES.map((line) => `${JSON.stringify(line)}\n`).join('')) => {
  const storage = inMemoryBackend()
  await write(storage, PATH, text)
  const problems: unknown[] = []
  const hermes = createHermes({ storage, onEvent: (event) => ('error' in event ? problems.push(event.error) : undefined) })
  return { storage, hermes, problems, before: text }
}

it('lists each form of line, the newest first, and no secret', async () => {
  const { hermes, problems, storage, before } = await setUp()
  expect(unwrap(await hermes.memoryStore().archived())).toMatchObject([
    { target: 'user', text: 'Drinks coffee', origin: 'tool', forgottenAt: Date.UTC(2026, 10, 1), reason: 'Python Hermes: evicted' },
    { target: 'user', text: 'Lives in Porto', forgottenAt: 1_788_000_000_000, reason: 'moved' },
    { target: 'memory', text: 'Builds with make', forgottenAt: Date.UTC(2026, 7, 3, 10), reason: 'Python Hermes: removed' },
  ])
  expect(problems).toEqual([])
  expect(await read(storage, PATH)).toBe(before)
})

it('reports a damaged line and lists the others, of the memory if they name no store', async () => {
  const { hermes, problems } = await setUp('{"entry":\n[]\n{"store":"other","entry":"x"}\n{"entry":"Builds with make"}\n')
  expect(unwrap(await hermes.memoryStore().archived())).toMatchObject([{ target: 'memory', text: 'Builds with make' }])
  expect(problems).toMatchObject(
    [1, 2, 3].map((line) => ({ code: 'unreadable', message: expect.stringContaining(`Line ${line} of '${PATH}'`) })),
  )
})

it('restores an entry, and lists it no longer', async () => {
  const { hermes, storage, before } = await setUp()
  const store = hermes.memoryStore()
  const [first] = unwrap(await store.archived('user'))
  unwrap(await store.restore(first?.id ?? ''))
  expect(await read(storage, 'memories/USER.md')).toContain('Drinks coffee')
  expect(unwrap(await store.archived('user')).map(({ text }) => text)).toEqual(['Lives in Porto'])
  expect(await read(storage, PATH)).toBe(before)
})

it('text from outside gains no authority by way of Python’s archive', async () => {
  const { hermes, storage } = await setUp(`${JSON.stringify({ store: 'memory', entry: 'Kelp bills weekly' })}\n`)
  const store = hermes.memoryStore()
  await store.load()
  unwrap(await store.apply('memory', { action: 'add', content: 'Kelp bills weekly' }, { origin: 'tool' }))
  // Python takes it out of the file.
  await write(storage, 'memories/MEMORY.md', 'Builds with pnpm')
  // Writes in between, more than a compaction of the facts needs.
  for (let at = 0; at < 40; at++) {
    unwrap(await store.apply('memory', { action: 'add', content: `Note ${at}` }, { origin: 'user' }))
    unwrap(await store.apply('memory', { action: 'remove', oldText: `Note ${at}` }, { origin: 'user' }))
  }
  const archived = unwrap(await store.archived('memory')).find(({ text }) => text === 'Kelp bills weekly')
  unwrap(await store.restore(archived?.id ?? ''))
  const facts = unwrap(await hermes.memoryStore().facts('memory'))
  expect(facts.filter(({ entry }) => entry === 'Kelp bills weekly')).toMatchObject([{ origin: 'tool' }])
})

it('exports the entries, once, and another home lists them', async () => {
  const { hermes } = await setUp()
  unwrap(await hermes.memory.add('user', 'Lives in Porto'))
  unwrap(await hermes.memoryStore().apply('user', { action: 'remove', oldText: 'Lives in Porto' }))
  const archive = unwrap(await hermes.export())
  const other = createHermes({ storage: inMemoryBackend() })
  const report = unwrap(await other.import(archive))
  expect(report.refused).toEqual([])
  const texts = unwrap(await other.memoryStore().archived()).map(({ text }) => text)
  expect(texts.toSorted()).toEqual(['Builds with make', 'Drinks coffee', 'Lives in Porto'])
  expect(unwrap(await other.import(archive)).changed).toBe(false)
})

it('erases an entry that only Python archived', async () => {
  const { hermes, storage } = await setUp()
  const { erased, remaining } = unwrap(await hermes.forget({ entry: 'Drinks coffee' }))
  expect([erased.archivedEntries, remaining]).toEqual([1, []])
  expect(await read(storage, PATH)).toBe(
    LINES.filter(({ entry }) => entry !== 'Drinks coffee')
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  )
})
