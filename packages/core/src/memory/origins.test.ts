import { describe, expect, test } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { FACTS_PATH, MEMORY_PATHS } from '../storage/storage-paths.ts'
import { parseFacts } from './facts.ts'
import type { EntryOrigin } from './memory-op.ts'
import { MemoryStore } from './memory-store.ts'

const FACT = 'The staging host runs Debian 13'
const HOUR = 3_600_000

const records = (bytes: Uint8Array) => {
  const parsed = parseFacts(bytes)
  if (!parsed.ok) throw parsed.error
  return Object.fromEntries(parsed.value.facts.memory)
}

const setUp = async (storage: StorageBackend = inMemoryBackend()) => {
  const time = { now: Date.UTC(2026, 0, 1) }
  const openStore = async () => {
    const store = new MemoryStore({ storage, clock: () => time.now })
    await store.load()
    return store
  }
  const store = await openStore()
  const add = async (content: string, origin: EntryOrigin = 'external') => {
    const result = await store.apply('memory', { action: 'add', content }, origin === 'external' ? { origin } : { origin, sessionId: 's1' })
    if (!result.ok) throw result.error
    return store.origins('memory').get(content)
  }
  const sidecar = async () => {
    const document = await readDocument(storage, FACTS_PATH)
    return document.ok && document.value ? records(document.value.bytes) : undefined
  }
  return { storage, time, store, openStore, add, sidecar }
}

describe('the records', () => {
  test('are not made for text that counts as written by hand', async () => {
    const { add, sidecar } = await setUp()
    expect(await add(FACT, 'external')).toBe('external')
    expect(await sidecar()).toBeUndefined()
  })

  test('are those of the host for a write without a source, or of the user if the store is said to write for them', async () => {
    const { store, storage } = await setUp()
    await store.apply('memory', { action: 'add', content: FACT })
    await new MemoryStore({ storage, by: 'user' }).apply('memory', { action: 'add', content: 'second' })
    await store.apply('memory', { action: 'add', content: 'third' }, undefined, { actor: 'person' })
    await store.apply('memory', { action: 'add', content: 'fourth' }, undefined, { actor: 'host' })
    await store.current('memory')
    expect([...store.origins('memory').values()]).toEqual(['host', 'user', 'user', 'host'])
  })

  test('say origin, session and times', async () => {
    const { add, sidecar, time, store } = await setUp()
    const start = time.now
    expect(await add(FACT, 'assistant')).toBe('assistant')
    time.now += HOUR
    expect(await add(FACT, 'assistant')).toBe('assistant')
    expect(await sidecar()).toEqual({
      [FACT]: { origin: 'assistant', sessionId: 's1', firstSeenAt: start, lastConfirmedAt: start + HOUR },
    })
    expect(store.entries('memory')).toEqual([FACT])
  })

  test('stay those of the user if own words lead the agent to the same text, unless the entry is gone', async () => {
    const { add, store } = await setUp()
    const raise = () => store.apply('memory', { action: 'add', content: FACT }, { origin: 'assistant', raises: true })
    expect(await add(FACT, 'user')).toBe('user')
    await raise()
    expect(store.origins('memory').get(FACT)).toBe('user')
    await store.apply('memory', { action: 'remove', oldText: FACT })
    await raise()
    expect(store.origins('memory').get(FACT)).toBe('assistant')
  })

  test('of an entry that comes with its dates keep them, and never raise the origin of an existing entry', async () => {
    const { store, sidecar, time } = await setUp()
    const earlier = { firstSeenAt: time.now - 9 * HOUR, lastConfirmedAt: time.now - 5 * HOUR }
    await store.apply('memory', { action: 'add', content: FACT }, { origin: 'tool', ...earlier })
    expect(await sidecar()).toEqual({ [FACT]: { origin: 'tool', ...earlier } })
    await store.apply('memory', { action: 'add', content: FACT }, { origin: 'user', ...earlier })
    expect(store.origins('memory').get(FACT)).toBe('tool')
  })

  test('keep fields that they do not know', async () => {
    const { add, sidecar, storage } = await setUp()
    const line = { target: 'memory', entry: FACT, origin: 'tool', firstSeenAt: 1, lastConfirmedAt: 1, later: 'kept' }
    await updateDocument(storage, MEMORY_PATHS.memory, () => new TextEncoder().encode(FACT))
    await updateDocument(storage, FACTS_PATH, () => new TextEncoder().encode(`${JSON.stringify(line)}\n`))
    await add(FACT, 'user')
    expect(await sidecar()).toMatchObject({ [FACT]: { origin: 'user', later: 'kept' } })
  })

  test('are written with the entry: both or none', async () => {
    const storage = inMemoryBackend()
    const failing: StorageBackend = { ...storage, update: async () => err(new HermesError('no_space', 'full')) }
    const { add } = await setUp(storage)
    await add('first', 'user')
    const { store, sidecar } = await setUp(failing)
    const refused = await store.apply('memory', { action: 'add', content: FACT }, { origin: 'tool' })
    expect(!refused.ok && refused.error.code).toBe('no_space')
    expect(await store.current('memory')).toEqual({ ok: true, value: ['first'] })
    expect(Object.keys((await sidecar()) ?? {})).toEqual(['first'])
  })
})

describe('trust', () => {
  test.each<[EntryOrigin, EntryOrigin, EntryOrigin]>([
    ['tool', 'assistant', 'tool'],
    ['tool', 'host', 'host'],
    ['assistant', 'host', 'host'],
    ['user', 'host', 'user'],
    ['host', 'user', 'user'],
    ['host', 'assistant', 'host'],
    ['host', 'tool', 'host'],
    ['external', 'host', 'external'],
    ['tool', 'user', 'user'],
    ['assistant', 'tool', 'assistant'],
    ['user', 'tool', 'user'],
    ['user', 'assistant', 'user'],
    ['external', 'tool', 'external'],
    ['external', 'user', 'user'],
  ])('an entry from %s that %s says again is from %s', async (first, again, expected) => {
    const { add } = await setUp()
    await add(FACT, first)
    expect(await add(FACT, again)).toBe(expected)
  })

  test.each<[EntryOrigin, EntryOrigin]>([
    ['assistant', 'tool'],
    ['tool', 'tool'],
    ['external', 'tool'],
    ['host', 'host'],
    ['user', 'user'],
  ])('an outside entry rewritten by %s is from %s', async (origin, expected) => {
    const { add, store } = await setUp()
    await add(FACT, 'tool')
    const result = await store.apply('memory', { action: 'replace', oldText: FACT, content: 'Staging: Debian' }, { origin })
    expect(result.ok).toBe(true)
    expect(store.origins('memory').get('Staging: Debian')).toBe(expected)
  })

  test.each<[EntryOrigin, EntryOrigin]>([
    ['assistant', 'assistant'],
    ['tool', 'tool'],
    ['user', 'user'],
  ])("an entry of the host's rewritten by %s is from %s", async (origin, expected) => {
    const { add, store } = await setUp()
    await add(FACT, 'host')
    await store.apply('memory', { action: 'replace', oldText: FACT, content: 'Staging: Debian' }, { origin })
    expect(store.origins('memory').get('Staging: Debian')).toBe(expected)
  })

  test('a batch cannot launder an outside entry by removing it and adding it in other words', async () => {
    const { add, store } = await setUp()
    await add('mine', 'user')
    await add(FACT, 'tool')
    const ops = [
      { action: 'remove', oldText: FACT },
      { action: 'add', content: 'Staging: Debian' },
    ] as const
    expect((await store.apply('memory', ops, { origin: 'assistant' })).ok).toBe(true)
    expect(store.origins('memory')).toEqual(
      new Map([
        ['mine', 'user'],
        ['Staging: Debian', 'tool'],
      ]),
    )
  })

  test('an entry from outside that a rewrite also changes is still inherited', async () => {
    const storage = inMemoryBackend()
    const other = new MemoryStore({ storage })
    let slipIn = async () => {}
    const raced: StorageBackend = {
      ...storage,
      update: async (paths, plan, options) => {
        if (paths.includes(MEMORY_PATHS.memory)) await slipIn()
        return storage.update(paths, plan, options)
      },
    }
    const { add, store } = await setUp(raced)
    await add('port: 1', 'assistant')
    slipIn = async () => {
      slipIn = async () => {}
      await other.apply('memory', { action: 'replace', oldText: 'port', content: 'port: 2, says the page' }, { origin: 'tool' })
    }
    const result = await store.apply('memory', { action: 'replace', oldText: 'port', content: 'port: 80' }, { origin: 'assistant' })
    expect(result.ok && result.value.previous).toEqual(['port: 2, says the page'])
    expect(store.origins('memory').get('port: 80')).toBe('tool')
  })
})

describe('a corrupt file of records', () => {
  test('promotes nothing: all entries are shown as from outside, the failure is reported, and writes are refused', async () => {
    const { add, storage, openStore } = await setUp()
    await add(FACT, 'tool')
    await add('mine', 'user')
    await updateDocument(storage, FACTS_PATH, () => new TextEncoder().encode('{ "version": 1, '))
    const store = await openStore()
    expect(store.loadProblems().map(({ code }) => code)).toEqual(['unreadable'])
    expect(store.renderSnapshot('memory')).toContain(`> ${FACT}\n§\n> mine`)
    expect(new Set(store.origins('memory').values())).toEqual(new Set(['tool']))
    for (const source of [undefined, { origin: 'user' }] as const) {
      const refused = await store.apply('memory', { action: 'add', content: 'next' }, source)
      expect(!refused.ok && refused.error.code).toBe('unreadable')
    }
    expect(await store.current('memory')).toEqual({ ok: true, value: [FACT, 'mine'] })
  })
})
