/** A full store keeps learning: the least valuable entries are archived. */

import { describe, expect, it } from 'vitest'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { FACTS_PATH, MEMORY_PATHS } from '../storage/storage-paths.ts'
import type { EntryOrigin, MemoryOp } from './memory-op.ts'
import { MemoryStore } from './memory-store.ts'
import type { MemoryStoreOptions } from './memory-store-options.ts'

const add = (content: string): MemoryOp => ({ action: 'add', content })
const replace = (oldText: string, content: string): MemoryOp => ({ action: 'replace', oldText, content })
const remove = (oldText: string): MemoryOp => ({ action: 'remove', oldText })

const TEN = 'ten chars '.trim().padEnd(10, '.')
const line = (letter: string) => letter.repeat(10)

/** Room for three entries of ten code points, not for four. */
const openStore = (options: Partial<MemoryStoreOptions> = {}, storage: StorageBackend = inMemoryBackend()) => {
  let now = 0
  const store = new MemoryStore({ storage, memoryCharLimit: 36, whenFull: 'evict', clock: () => ++now, ...options })
  const write = (op: MemoryOp | readonly MemoryOp[], origin: EntryOrigin = 'external') =>
    store.apply('memory', op, origin === 'external' ? { origin } : { origin, reason: 'Because.' })
  const fill = async (...rows: readonly (readonly [letter: string, origin?: EntryOrigin])[]) => {
    for (const [letter, origin] of rows) {
      const written = await write(add(line(letter)), origin)
      if (!written.ok) throw written.error
    }
  }
  const archived = async () => {
    const listed = await store.archived('memory')
    if (!listed.ok) throw listed.error
    return listed.value
  }
  return { store, storage, write, fill, archived, entries: () => store.entries('memory') }
}

describe('a full store', () => {

  it('takes the one confirmed longest ago, so that saying a fact again keeps it', async () => {
    const { write, fill, entries } = openStore()
    await fill(['a', 'user'], ['b', 'user'], ['c', 'user'], ['a', 'user'])
    await write(add(line('d')), 'user')
    expect(entries()).toEqual([line('a'), line('c'), line('d')])
  })

  it('makes room for a replace that grows and for a batch, never by what these write or name', async () => {
    const { write, fill, entries, archived } = openStore()
    await fill(['a', 'user'], ['b', 'user'], ['c', 'user'])
    expect(await write(replace('a', line('A').repeat(2)), 'user')).toMatchObject({ ok: true, value: { evicted: [{ text: line('b') }] } })
    expect(entries()).toEqual([line('A').repeat(2), line('c')])
    expect(await write([add(line('c')), add(TEN)], 'user')).toMatchObject({ ok: true, value: { evicted: [{ text: line('A').repeat(2) }] } })
    expect(entries()).toEqual([line('c'), TEN])
    expect((await archived()).map(({ text }) => text).sort()).toEqual([line('A').repeat(2), line('a'), line('b')])
    expect((await archived()).find(({ text }) => text === line('a'))).toMatchObject({ reason: 'Because.', replacedBy: line('A').repeat(2) })
  })

  it('keeps the user’s entries from a page, and tells why it refuses', async () => {
    const { write, fill, entries } = openStore()
    await fill(['a', 'user'], ['b', 'tool'], ['c', 'assistant'])
    expect(await write(add(line('d')), 'tool')).toMatchObject({ ok: true, value: { evicted: [{ text: line('b') }] } })
    expect(await write(add(line('e').repeat(2)), 'tool')).toMatchObject({ ok: false, error: { code: 'over_limit', details: { over: 23 } } })
    expect(entries()).toEqual([line('a'), line('c'), line('d')])
  })

  it('keeps the user’s entries from the host, and the host’s from the agent', async () => {
    for (const [present, origin] of [
      ['user', 'host'],
      ['host', 'assistant'],
      ['host', 'tool'],
    ] as const) {
      const { write, fill } = openStore()
      await fill(['a', present], ['b', present], ['c', present])
      const message = expect.stringContaining('No entry may make room for it')
      expect(await write(add(line('d')), origin)).toMatchObject({ ok: false, error: { code: 'over_limit', message } })
    }
  })

  it('refuses as before if nothing is said of it, and if a person is to decide', async () => {
    for (const whenFull of [undefined, 'hold'] as const) {
      const { write, fill, archived } = openStore({ whenFull })
      await fill(['a', 'tool'], ['b', 'tool'], ['c', 'tool'])
      const message = expect.not.stringContaining('make room')
      expect(await write(add(line('d')), 'user')).toMatchObject({ ok: false, error: { code: 'over_limit', message } })
      expect(await archived()).toEqual([])
    }
  })

  it('keeps what looks like a secret, of which the archive would keep no copy', async () => {
    const { write, fill, storage, entries } = openStore({ memoryCharLimit: 60 })
    const secret = `key sk-proj-${'a1B2c3D4e5'.repeat(2)}`
    await fill(['a', 'user'])
    const fact = JSON.stringify({ target: 'memory', entry: secret, origin: 'tool', firstSeenAt: 1, lastConfirmedAt: 1 })
    await updateDocument(storage, FACTS_PATH, (current) => new TextEncoder().encode(`${new TextDecoder().decode(current?.bytes)}${fact}\n`))
    await updateDocument(storage, MEMORY_PATHS.memory, () => new TextEncoder().encode(`${secret}\n§\n${line('a')}`))
    expect(await write(add(line('d').repeat(2)), 'user')).toMatchObject({ ok: true, value: { evicted: [{ text: line('a') }] } })
    expect(entries()).toEqual([secret, line('d').repeat(2)])
  })

  it('refuses to guess if it cannot be read whose the entries are', async () => {
    const { write, fill, storage } = openStore()
    await fill(['a', 'user'], ['b', 'user'], ['c', 'user'])
    await updateDocument(storage, FACTS_PATH, () => new TextEncoder().encode('{'))
    expect(await write(add(line('d')))).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  })

  it('brings an entry back in the place of others that are trusted no more', async () => {
    const { store, write, fill, archived, entries } = openStore()
    await fill(['a', 'user'], ['b', 'tool'], ['c', 'user'])
    await write(add(line('d')), 'user')
    const [gone] = await archived()
    expect(await store.restore(gone?.id ?? '')).toMatchObject({ ok: false, error: { code: 'over_limit' } })
    await write([remove('d'), add(line('t'))], 'tool')
    expect(await store.restore(gone?.id ?? '')).toMatchObject({ ok: true, value: { evicted: [{ text: line('t'), origin: 'tool' }] } })
    expect(entries()).toEqual([line('a'), line('c'), line('b')])
  })

  it('never loses what another writer adds in between', async () => {
    const inner = inMemoryBackend()
    const other = openStore({}, inner)
    await other.fill(['a', 'user'], ['b', 'user'], ['c', 'user'])
    let isFirst = true
    const storage: StorageBackend = {
      ...inner,
      update: async (paths, plan, options) => {
        if (paths.includes(MEMORY_PATHS.memory) && isFirst) {
          isFirst = false
          await other.write(add(line('x')), 'user')
        }
        return inner.update(paths, plan, options)
      },
    }
    const { write, entries, archived } = openStore({}, storage)
    expect(await write(add(line('d')), 'user')).toMatchObject({ ok: true })
    const kept = [...entries(), ...(await archived()).map(({ text }) => text)]
    expect(kept.sort()).toEqual(['a', 'b', 'c', 'd', 'x'].map(line))
    expect(entries()).toContain(line('x'))
  })
})
