import { expect, it } from 'vitest'
import { turnsDuring } from '../../test/support/longest-hold.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { MEMORY_ARCHIVE_PATH, MEMORY_PATHS } from '../storage/storage-paths.ts'
import { REDACTED } from '../threats/credentials/redact-credentials.ts'
import { archivedEntryId, encodeArchived, formerOriginIn } from './memory-archive.ts'
import { MemoryStore } from './memory-store.ts'

const setUp = async () => {
  const storage = inMemoryBackend()
  const problems: unknown[] = []
  const store = new MemoryStore({ storage, onFailure: (error) => problems.push(error) })
  await store.apply('memory', { action: 'add', content: 'tea' })
  await store.apply('memory', { action: 'remove', oldText: 'tea' })
  const listed = await store.archived()
  const [entry] = listed.ok ? listed.value : []
  if (!entry) throw new Error('Nothing is archived.')
  return { storage, store, problems, entry }
}

it('lists the other entries beside a damaged line, and names the line', async () => {
  const { storage, store, entry, problems } = await setUp()
  await updateDocument(storage, MEMORY_ARCHIVE_PATH, (current) =>
    new TextEncoder().encode(`{"id":\n\n${new TextDecoder().decode(current?.bytes)}7\n`),
  )
  expect(await store.archived('memory')).toEqual({ ok: true, value: [entry] })
  expect(problems).toMatchObject([
    { code: 'unreadable', message: expect.stringContaining('Line 1') },
    { code: 'unreadable', message: expect.stringContaining('Line 4') },
  ])
})

it('of all stores is listed without one that cannot be read, which is an error by itself', async () => {
  const { storage, store, problems, entry } = await setUp()
  await updateDocument(storage, MEMORY_PATHS.user, () => Uint8Array.of(0xff))
  expect(await store.archived()).toEqual({ ok: true, value: [entry] })
  expect(problems).toMatchObject([{ code: 'unreadable' }])
  expect(await store.archived('user')).toMatchObject({ ok: false, error: { code: 'unreadable' } })
})

it('holds a text once, as it last left', async () => {
  const { store, entry } = await setUp()
  await store.apply('memory', { action: 'add', content: 'tea' }, { origin: 'user' })
  await store.apply('memory', { action: 'remove', oldText: 'tea' })
  expect(await store.archived()).toMatchObject({ value: [{ id: entry.id, origin: 'user' }] })
})

it('knows with which origin exactly this text last left', () => {
  const line = (text: string, origin: string) =>
    `${JSON.stringify({ id: 'memory-0123456789abcdef', target: 'memory', text, origin, firstSeenAt: 0, lastConfirmedAt: 0, forgottenAt: 0, reason: 'of "tea"' })}\n`
  const archive = `${line('tea', 'tool')}damaged "tea"\n${line('tea, green', 'user')}`
  expect(formerOriginIn(archive, 'tea')).toBe('tool')
  expect(formerOriginIn(line('tea', 'tool') + line('tea', 'user'), 'tea')).toBe('user')
  for (const text of ['te', 'memory', 'of "tea"']) expect(formerOriginIn(archive, text)).toBeUndefined()
  expect(formerOriginIn('', 'tea')).toBeUndefined()
  // Something else took away the end of a line.
  const glued = `${line('tea', 'tool').trim()}${line('milk', 'user').trim()}${line('tea', 'user')}`
  expect(formerOriginIn(glued, 'milk')).toBe('user')
  expect(formerOriginIn(glued, 'tea')).toBe('user')
})

it('loses neither entry if something else took away the end of a line', async () => {
  const { storage, store, problems } = await setUp()
  await updateDocument(storage, MEMORY_ARCHIVE_PATH, (current) => current?.bytes.subarray(0, -1))
  await store.apply('memory', { action: 'add', content: 'from a page' }, { origin: 'tool' })
  await store.apply('memory', { action: 'remove', oldText: 'from a page' })
  await updateDocument(storage, MEMORY_ARCHIVE_PATH, (current) => current?.bytes.subarray(0, -1))
  await store.apply('memory', { action: 'add', content: 'milk' })
  await store.apply('memory', { action: 'remove', oldText: 'milk' })
  const listed = await store.archived()
  expect(listed.ok && listed.value.map(({ text }) => text).sort()).toEqual(['from a page', 'milk', 'tea'])
  expect(problems).toEqual([])
  await store.apply('memory', { action: 'add', content: 'from a page' }, { origin: 'assistant' })
  expect(store.origins('memory').get('from a page')).toBe('tool')
})

it('has no text of a secret, and neither has what is told of the write', async () => {
  const storage = inMemoryBackend()
  const secret = `key sk-proj-${'a1B2c3D4e5'.repeat(2)}`
  await updateDocument(storage, MEMORY_PATHS.memory, () => new TextEncoder().encode(`${secret}\n§\ntea`))
  const told: unknown[] = []
  const store = new MemoryStore({ storage, onWrite: async ({ changes }) => void told.push(changes) })
  await store.apply('memory', { action: 'remove', oldText: 'key' })
  await store.apply('memory', { action: 'remove', oldText: 'tea' })
  const [tea] = ['tea'].map((text) => ({ text, archivedId: archivedEntryId('memory', text) }))
  expect(told).toEqual([
    { added: [], removed: [{ text: REDACTED }], evicted: [] },
    { added: [], removed: [tea], evicted: [] },
  ])
  const listed = await store.archived('memory')
  expect(listed.ok && listed.value.map(({ text }) => text).sort()).toEqual([REDACTED, 'tea'])
})

it('is read in slices between which other work runs', async () => {
  const { storage, store, entry } = await setUp()
  const lines = encodeArchived(
    Array.from({ length: 4_000 }, (_, index) => ({ ...entry, id: archivedEntryId('memory', `${index}`), text: `${index}` })),
  )
  await updateDocument(storage, MEMORY_ARCHIVE_PATH, () => lines)
  const { result: listed, turns } = await turnsDuring(() => store.archived())
  expect(listed.ok && listed.value.length).toBe(4_000)
  expect(turns).toBeGreaterThan(8)
})

it('is read once for a change, and not if only the user speaks', async () => {
  const inner = inMemoryBackend()
  let reads = 0
  const storage: StorageBackend = {
    ...inner,
    update: (paths, plan, options) =>
      inner.update(
        paths,
        (cut) =>
          plan({
            ...cut,
            document: (path) => {
              if (path === MEMORY_ARCHIVE_PATH) reads++
              return cut.document(path)
            },
          }),
        options,
      ),
  }
  const store = new MemoryStore({ storage })
  const batch = ['a', 'b', 'c'].map((content) => ({ action: 'add', content }) as const)
  expect(await store.apply('memory', batch, { origin: 'assistant' })).toMatchObject({ ok: true })
  expect(reads).toBe(1)
  expect(await store.apply('user', batch, { origin: 'user' })).toMatchObject({ ok: true })
  expect(reads).toBe(1)
})

it.each([7, undefined, null, '', 'memory', 'memory-', 'tea-0', '-'])('restores nothing for an id that is none: %s', async (id) => {
  const { store } = await setUp()
  expect(await Reflect.apply(store.restore, store, [id])).toMatchObject({ ok: false, error: { code: 'not_found' } })
})
