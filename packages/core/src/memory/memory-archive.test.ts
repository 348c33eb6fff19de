import { expect, it } from 'vitest'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateDocument } from '../storage/one-document.ts'
import { MEMORY_ARCHIVE_PATH } from '../storage/storage-paths.ts'
import { formerOriginIn } from './memory-archive.ts'
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

it('holds a text once, as it last left', async () => {
  const { store, entry } = await setUp()
  await store.apply('memory', { action: 'add', content: 'tea' }, { origin: 'user' })
  await store.apply('memory', { action: 'remove', oldText: 'tea' })
  expect(await store.archived()).toMatchObject({ value: [{ id: entry.id, origin: 'user' }] })
})

it('knows with which origin exactly this text last left', () => {
  const line = (text: string, origin: string) =>
    `${JSON.stringify({ id: 'memory-0123456789abcdef', target: 'memory', text, origin, firstSeenAt: 0, lastConfirmedAt: 0, forgottenAt: 0, reason: 'of "tea"' })}\n`
  const bytes = new TextEncoder().encode(`${line('tea', 'tool')}damaged "tea"\n${line('tea, green', 'user')}`)
  expect(formerOriginIn(bytes, 'tea')).toBe('tool')
  expect(formerOriginIn(new TextEncoder().encode(line('tea', 'tool') + line('tea', 'user')), 'tea')).toBe('user')
  for (const text of ['te', 'memory', 'of "tea"']) expect(formerOriginIn(bytes, text)).toBeUndefined()
  expect(formerOriginIn(undefined, 'tea')).toBeUndefined()
})

it.each([7, undefined, null, '', 'memory', 'memory-', 'tea-0', '-'])('restores nothing for an id that is none: %s', async (id) => {
  const { store } = await setUp()
  expect(await Reflect.apply(store.restore, store, [id])).toMatchObject({ ok: false, error: { code: 'not_found' } })
})
