import { describe, expect, it } from 'vitest'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateDocument } from '../storage/one-document.ts'
import type { PinnedEntry } from './change-facts.ts'
import type { EntryOrigin, MemoryOp } from './memory-op.ts'
import { MemoryStore } from './memory-store.ts'

const DAY = 86_400_000
const add = (content: string): MemoryOp => ({ action: 'add', content })

const openStore = (memoryCharLimit = 200) => {
  const storage = inMemoryBackend()
  const time = { now: 1_000 }
  const told: PinnedEntry[] = []
  const store = new MemoryStore({
    storage,
    memoryCharLimit,
    whenFull: 'evict',
    clock: () => time.now,
    onPin: async (pinned) => {
      told.push(pinned)
    },
  })
  const write = async (op: MemoryOp | readonly MemoryOp[], origin: EntryOrigin = 'external', raises?: true) => {
    const written = await store.apply('memory', op, origin === 'external' ? { origin } : { origin, ...(raises ? { raises } : {}) })
    if (!written.ok) throw written.error
    return written.value
  }
  const facts = async () => {
    const found = await store.facts('memory')
    if (!found.ok) throw found.error
    return found.value.map(({ entry, origin, pinned }) => [entry, origin, pinned === true])
  }
  return { store, time, told, write, facts, storage }
}

describe('a pin', () => {
  it('is set on the one entry that holds the text, told once, and taken off again', async () => {
    const { store, told, write, facts } = openStore()
    await write(add('Lives in Oslo'), 'user')
    await write(add('Drinks tea'), 'tool')
    const pinned = { target: 'memory', entry: 'Lives in Oslo', pinned: true, changed: true }
    expect(await store.pin('memory', ' Oslo\r\n')).toEqual({ ok: true, value: pinned })
    expect(await store.pin('memory', 'Oslo')).toEqual({ ok: true, value: { ...pinned, changed: false } })
    expect(await facts()).toEqual([
      ['Lives in Oslo', 'user', true],
      ['Drinks tea', 'tool', false],
    ])
    expect(await store.unpin('memory', 'Lives')).toEqual({ ok: true, value: { ...pinned, pinned: false } })
    expect(await facts()).toEqual([
      ['Lives in Oslo', 'user', false],
      ['Drinks tea', 'tool', false],
    ])
    expect(told).toEqual([pinned, { ...pinned, pinned: false }])
  })

  it('keeps an entry that was written by hand as it is, without a time', async () => {
    const { store, write, facts, time } = openStore()
    await write(add('By hand'))
    await store.pin('memory', 'By hand')
    expect(await facts()).toEqual([['By hand', 'external', true]])
    time.now += DAY
    await write(add('Another'), 'user')
    await write(add('By hand'), 'tool')
    expect(await facts()).toEqual([
      ['By hand', 'external', true],
      ['Another', 'user', false],
    ])
    expect(await store.facts('memory')).toMatchObject({ value: [{ firstSeenAt: 0, lastConfirmedAt: 0 }, {}] })
    await store.unpin('memory', 'By hand')
    expect(await facts()).toEqual([
      ['By hand', 'external', false],
      ['Another', 'user', false],
    ])
  })

  it('stays if own words come to the entry by themselves', async () => {
    const { store, write, facts } = openStore()
    await write(add('Drinks tea'), 'tool')
    await write(add('By hand'))
    await store.pin('memory', 'tea')
    await store.pin('memory', 'hand')
    await write([add('Drinks tea'), add('By hand')], 'user', true)
    expect(await facts()).toEqual([
      ['Drinks tea', 'user', true],
      ['By hand', 'user', true],
    ])
  })

  it.each<[string, EntryOrigin]>([
    ['a person', 'user'],
    ['the host', 'host'],
    ['an entry that counts as written by hand', 'external'],
  ])('is handed on by %s to what replaces the entry', async (_, origin) => {
    const { store, write, facts } = openStore()
    await write(add('Lives in Oslo'), origin)
    await store.pin('memory', 'Oslo')
    await write({ action: 'replace', oldText: 'Oslo', content: 'Lives in Bergen' }, origin)
    expect(await facts()).toEqual([['Lives in Bergen', origin, true]])
  })

  it('is refused for what looks like a secret, of which nothing is copied', async () => {
    const { store, storage } = openStore()
    await updateDocument(storage, 'memories/MEMORY.md', () => new TextEncoder().encode(`key sk-proj-${'a1B2c3D4e5'.repeat(2)}`))
    expect(await store.pin('memory', 'key')).toMatchObject({ ok: false, error: { code: 'blocked' } })
    expect(await storage.list('')).toMatchObject({ value: [{ path: 'memories/MEMORY.md' }] })
  })
})
