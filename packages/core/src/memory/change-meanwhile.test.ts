/** Another writer changes the store while a change is made: the change starts again instead of writing what it planned for other entries. */

import { describe, expect, it } from 'vitest'
import type { Origin } from '../shared/origin.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { Paths, StorageBackend } from '../storage/storage-backend.ts'
import { MEMORY_PATHS } from '../storage/storage-paths.ts'
import type { MemoryOp } from './memory-op.ts'
import { MemoryStore } from './memory-store.ts'

const add = (content: string): MemoryOp => ({ action: 'add', content })
const replace = (oldText: string, content: string): MemoryOp => ({ action: 'replace', oldText, content })
const line = (letter: string) => letter.repeat(10)

const openStore = (storage: StorageBackend, memoryCharLimit = 36) => {
  let now = 0
  const store = new MemoryStore({ storage, memoryCharLimit, whenFull: 'evict', clock: () => ++now })
  const write = async (op: MemoryOp, origin: Origin) => {
    const written = await store.apply('memory', op, { origin })
    if (!written.ok) throw written.error
    return written.value
  }
  const archived = async () => {
    const listed = await store.archived('memory')
    return listed.ok ? listed.value.map(({ text }) => text).sort() : []
  }
  return { store, write, archived, entries: () => store.entries('memory') }
}

/** Calls `meanwhile` once, right before the change. */
const interrupted = (inner: StorageBackend, meanwhile: () => Promise<unknown>): StorageBackend => {
  let isFirst = true
  return {
    ...inner,
    update: async (paths: Paths, plan, options) => {
      if (isFirst) {
        isFirst = false
        await meanwhile()
      }
      return inner.update(paths, plan, options)
    },
  }
}

describe('a change that makes room', () => {
  it('archives every entry that goes, also if the other writer left room for fewer', async () => {
    const inner = inMemoryBackend()
    const other = openStore(inner, 60)
    for (const letter of ['a', 'b', 'c']) await other.write(add(line(letter)), 'user')
    const { write, entries, archived } = openStore(interrupted(inner, () => other.write(add(line('x')), 'user')))
    await write(add(line('d')), 'user')
    expect([...entries(), ...(await archived())].sort()).toEqual(['a', 'b', 'c', 'd', 'x'].map(line))
    expect(entries()).toHaveLength(3)
  })

  it.each([
    ['is pinned by a person', (store: MemoryStore) => store.pin('memory', line('a'))],
    ['is said by the user', (store: MemoryStore) => store.apply('memory', add(line('a')), { origin: 'user', raises: true })],
  ])('keeps one of several entries that %s meanwhile', async (_, meanwhile) => {
    const inner = inMemoryBackend()
    const other = openStore(inner)
    for (const letter of ['a', 'b', 'c']) await other.write(add(line(letter)), 'tool')
    const { write, entries } = openStore(interrupted(inner, () => meanwhile(other.store)))
    const { evicted } = await write(add(line('d').repeat(2)), 'user')
    expect(evicted?.map(({ text }) => text)).toEqual([line('b'), line('c')])
    expect(entries()).toEqual([line('a'), line('d').repeat(2)])
  })
})

describe('a replace', () => {
  it('takes the origin of the entry that it finds, not of the one that it was planned for', async () => {
    const inner = inMemoryBackend()
    const other = openStore(inner, 90)
    await other.write(add('likes tea'), 'user')
    // Differs from the new text in white space alone, so nothing is lost that the archive would lack.
    const meanwhile = () => other.write(replace('likes tea', 'likes tea  a lot'), 'tool')
    const { store, write, entries } = openStore(interrupted(inner, meanwhile), 90)
    await write(replace('tea', 'likes tea a lot'), 'assistant')
    expect(entries()).toEqual(['likes tea a lot'])
    expect([...store.origins('memory').values()]).toEqual(['tool'])
  })
})

it('leaves a file as it is that another program made unreadable meanwhile', async () => {
  const inner = inMemoryBackend()
  await openStore(inner).write(add('a'), 'user')
  const broken = Uint8Array.of(0xff)
  const { store } = openStore(interrupted(inner, () => updateDocument(inner, MEMORY_PATHS.memory, () => broken)))
  expect(await store.apply('memory', add('b'))).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  expect(await readDocument(inner, MEMORY_PATHS.memory)).toMatchObject({ value: { bytes: broken } })
})
