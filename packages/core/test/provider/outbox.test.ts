/** What waits for delivery: several processes of a home, erasure, a full or corrupt document, a storage that fails. */
import { manualClock } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { createHermesHomes } from '../../src/create-hermes-homes.ts'
import { createJournal } from '../../src/journal/journal.ts'
import { providerFault } from '../../src/provider/check-provider.ts'
import type { MemoryProvider, ProviderTurn } from '../../src/provider/memory-provider.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { user } from '../session/open-home.ts'
import { manualTime, openConnection, START } from './open-connection.ts'

const down = async () => {
  throw new Error('down')
}

/** Two processes of one home: the first cannot deliver. */
const twoProcesses = () => {
  const storage = inMemoryBackend()
  const time = manualTime()
  const told: string[] = []
  const first = openConnection({ syncTurn: down }, { storage, time })
  const second = () => openConnection({ syncTurn: async ({ user }) => void told.push(user), forget: async () => 0 }, { storage, time })
  return { storage, time, told, first, second }
}

describe('several processes of a home', () => {
  it('deliver what another one cannot deliver', async () => {
    const { time, told, first, second } = twoProcesses()
    await first.finish('one')
    await time.pass()
    const other = second()
    await other.finish('two')
    await other.connection.settled()
    expect(told).toEqual(['one', 'two'])
    expect(await other.stored()).toBeUndefined()
  })

  it('take over what a process has left that is gone', async () => {
    const { told, first, second } = twoProcesses()
    await first.finish('one')
    await first.finish('two')
    await first.connection.close(100)
    const other = second()
    await other.finish('three')
    await other.connection.settled()
    expect(told).toEqual(['one', 'two', 'three'])
    expect(await other.stored()).toBeUndefined()
  })

  it('take it when its lease has passed, if a process died without a word', async () => {
    const { storage, time, told, second } = twoProcesses()
    let dead = false
    const dying: StorageBackend = {
      ...storage,
      update: (paths, plan, options) => (dead ? new Promise(() => {}) : storage.update(paths, plan, options)),
    }
    const first = openConnection({ syncTurn: () => new Promise(() => {}) }, { storage: dying, time })
    await first.finish('one')
    dead = true
    const other = second()
    await other.finish('two')
    await time.move(59_000)
    await other.finish('three')
    await time.move(900)
    expect(told).toEqual([])
    await time.move(200)
    expect(told).toEqual(['one', 'two', 'three'])
  })
})

describe('erasing', () => {
  it('removes what waits, also in another process, which then delivers it no more', async () => {
    const { time, first } = twoProcesses()
    let attempts: string[] = []
    const waiting = openConnection(
      {
        syncTurn: async ({ user }) => {
          attempts.push(user)
          throw new Error('down')
        },
      },
      { storage: first.storage, time },
    )
    await waiting.finish('my cat is called Tom')
    await waiting.finish('I like tea')
    await time.move(1_000)
    const matches = (text: string) => text.includes('Tom')
    const other = openConnection({ syncTurn: down, forget: async () => 0 }, { storage: first.storage, time })
    const target = { kind: 'text', text: 'Tom', matches } as const
    expect(await other.connection.forget({ ...target, dryRun: true })).toEqual({ ok: true, value: 1 })
    expect((await other.stored()).items).toHaveLength(2)
    expect(await other.connection.forget({ ...target, dryRun: false })).toEqual({ ok: true, value: 1 })
    expect((await other.stored()).items).toMatchObject([{ user: 'I like tea' }])
    attempts = []
    await time.move(400_000)
    expect(new Set(attempts)).toEqual(new Set(['I like tea']))
  })

  it('waits for the delivery under way, so that nothing erased arrives later', async () => {
    const calls: string[] = []
    const opened = openConnection({
      syncTurn: ({ user }) =>
        new Promise((resolve) =>
          opened.time.timers.after(500, true, () => {
            calls.push(`stored ${user}`)
            resolve()
          }),
        ),
      forget: async () => calls.push('erased'),
    })
    await opened.finish('one')
    await opened.finish('two')
    const erased = opened.connection.forget({ kind: 'all', dryRun: false })
    await opened.time.move(5_000)
    expect(await erased).toMatchObject({ ok: true })
    expect(calls).toEqual(['stored one', 'erased'])
  })

  it('fails if the provider cannot erase, after what waited was removed', async () => {
    const { connection, finish, stored } = openConnection({ syncTurn: down })
    await finish('one')
    expect(await connection.forget({ kind: 'all', dryRun: false })).toMatchObject({
      ok: false,
      error: { code: 'provider', message: "Memory provider 'testing' cannot erase: what it has stored must be erased there." },
    })
    expect(await stored()).toBeUndefined()
  })
})

it('keeps the newest thousand items, and says what was lost', async () => {
  const { finish, events, stored } = openConnection({ syncTurn: down })
  await Promise.all(Array.from({ length: 1_003 }, (_, turn) => finish(`turn ${turn}`)))
  const { items } = await stored()
  expect(items).toHaveLength(1_000)
  expect(items[0]).toMatchObject({ user: 'turn 3' })
  expect(items.at(-1)).toMatchObject({ user: 'turn 1002' })
  const lost = events.flatMap((event) => (event.type === 'provider-dropped' ? [event.items] : []))
  expect(lost.reduce((sum, each) => sum + each, 0)).toBe(3)
})

it('drops what the provider refuses, and goes on with the next', async () => {
  const turns: string[] = []
  const { finish, connection, events, recall } = openConnection({
    prefetch: async () => 'tea',
    syncTurn: async ({ user }) => {
      if (user === 'two') throw new HermesError('invalid', 'too odd')
      turns.push(user)
    },
  })
  for (const user of ['one', 'two', 'three', 'two', 'two', 'four']) await finish(user)
  await connection.settled()
  expect(turns).toEqual(['one', 'three', 'four'])
  expect(events.filter(({ type }) => type === 'provider-dropped')).toHaveLength(3)
  expect(await recall()).toEqual(['tea'])
})

it('keeps a corrupt document aside, and goes on', async () => {
  const storage = inMemoryBackend()
  await updateDocument(storage, 'provider/testing.json', () => new TextEncoder().encode('{"version":1,"items":'))
  const turns: string[] = []
  const { finish, connection, troubles } = openConnection({ syncTurn: async ({ user }) => void turns.push(user) }, { storage })
  await finish('one')
  await connection.settled()
  expect(turns).toEqual(['one'])
  expect(troubles()).toEqual(['provider-failed outbox unreadable'])
  expect(await storage.list('provider')).toMatchObject({
    ok: true,
    value: [{ path: expect.stringContaining('provider/.unreadable/testing-') }],
  })
})

const recordErasure = async (storage: StorageBackend, clock: () => number) => {
  const record = { actor: 'person', kind: 'applied', reason: 'r', upkeep: { action: 'erase', after: 'sessions: 1' } } as const
  await createJournal({ storage, clock, createId: () => `erasure-${clock()}` }).append([record])
}

describe('a storage that fails', () => {
  const failing = (code: 'no_space' | 'closed') => {
    const storage = inMemoryBackend()
    let fails = false
    return {
      fail: (now: boolean) => {
        fails = now
      },
      storage: {
        ...storage,
        read: (paths) => storage.read(paths),
        update: async (paths, plan, options) => (fails ? err(new HermesError(code, 'cannot')) : storage.update(paths, plan, options)),
      } satisfies StorageBackend as StorageBackend,
    }
  }

  it('delivers from memory what could not be stored, in order, and stores what still waits with the next turn', async () => {
    const { storage, fail } = failing('no_space')
    const turns: string[] = []
    let works = true
    const { finish, connection, stored, troubles, time } = openConnection(
      {
        syncTurn: async ({ user }) => {
          if (!works) throw new Error('down')
          turns.push(user)
        },
      },
      { storage },
    )
    await finish('one')
    await connection.settled()
    fail(true)
    await finish('two')
    await connection.settled()
    expect(turns).toEqual(['one', 'two'])
    works = false
    await finish('three')
    fail(false)
    await time.move(1)
    await finish('four')
    expect((await stored()).items).toMatchObject([{ user: 'three' }, { user: 'four' }])
    works = true
    await time.move(60_000)
    expect(turns).toEqual(['one', 'two', 'three', 'four'])
    expect(await stored()).toBeUndefined()
    expect(troubles()).toContain('provider-failed outbox no_space')
  })

  it.each([true, false])('drops what is only in memory if the journal tells of an erasure since, with keepText: %s', async (keepText) => {
    const { storage, fail } = failing('no_space')
    const turns: string[] = []
    let works = false
    const { finish, time, events } = openConnection(
      {
        syncTurn: async ({ user }) => {
          if (!works) throw new Error('down')
          turns.push(user)
        },
      },
      { storage, keepText },
    )
    fail(true)
    await finish('my cat is called Tom')
    await time.move(500)
    fail(false)
    await recordErasure(storage, time.clock)
    await time.move(1)
    await finish('I like tea')
    works = true
    await time.move(400_000)
    expect(turns).toEqual(['I like tea'])
    expect(events.filter(({ type }) => type === 'provider-dropped')).toMatchObject([{ items: 1 }])
  })

  it('delivers nothing from memory while the journal cannot be read', async () => {
    const { storage, fail } = failing('no_space')
    let reads = true
    const turns: string[] = []
    let works = false
    const { finish, time, troubles } = openConnection(
      {
        syncTurn: async ({ user }) => {
          if (!works) throw new Error('down')
          turns.push(user)
        },
      },
      {
        storage: {
          ...storage,
          list: async (prefix) => (reads ? storage.list(prefix) : err(new HermesError('io', 'cannot'))),
        },
      },
    )
    fail(true)
    await finish('one')
    await time.pass()
    reads = false
    works = true
    await time.move(200_000)
    expect(turns).toEqual([])
    expect(troubles()).toContain('provider-failed outbox io')
    reads = true
    await time.move(100_000)
    expect(turns).toEqual(['one'])
  })

  it('says so to a person who erases, and has erased nothing then', async () => {
    const { storage, fail } = failing('no_space')
    const { finish, connection, stored } = openConnection({ syncTurn: down, forget: async () => 0 }, { storage })
    await finish('my cat is called Tom')
    fail(true)
    expect(await connection.forget({ kind: 'all', dryRun: false })).toMatchObject({ ok: false, error: { code: 'no_space' } })
    fail(false)
    expect((await stored()).items).toHaveLength(1)
    expect(await connection.forget({ kind: 'all', dryRun: false })).toMatchObject({ ok: true, value: 1 })
    expect(await stored()).toBeUndefined()
  })
})

it('writes twice for a turn: the turn with the lease, and its removal', async () => {
  const storage = inMemoryBackend()
  let writes = 0
  const counting: StorageBackend = {
    read: (paths) => storage.read(paths),
    list: (prefix) => storage.list(prefix),
    close: () => storage.close(),
    update: (paths, plan, options) => {
      const counted: typeof plan = (cut) => {
        const planned = plan(cut)
        if (planned.put) writes++
        return planned
      }
      return storage.update(paths, counted, options)
    },
  }
  const { finish, time, connection } = openConnection({ syncTurn: async () => {} }, { storage: counting })
  for (let turn = 0; turn < 10; turn++) {
    await finish(`turn ${turn}`)
    await time.pass()
  }
  expect(writes).toBe(20)
  expect(await storage.list('')).toEqual({ ok: true, value: [] })
  await connection.close(1_000)
  expect(writes).toBe(20)
})

/** An owner is erased while turns of theirs wait for delivery in another process: nothing of them reaches the provider or the storage any more. */
const openHomes = (storage: StorageBackend, provider: MemoryProvider, clock = manualClock()) => {
  const problems: string[] = []
  const homes = createHermesHomes({
    storage,
    clock,
    memory: { provider },
    curator: { enabled: false },
    onEvent: (event) => {
      if ('error' in event && event.type !== 'provider-failed') problems.push(`${event.type} ${event.error?.message}`)
    },
  })
  return { homes, clock, problems }
}

it('delivers nothing of an owner who was erased while a turn was being stored', async () => {
  const storage = inMemoryBackend()
  const attempts: string[] = []
  const provider: MemoryProvider = {
    name: 'testing',
    initialize: ({ owner }) => ({
      syncTurn: async (turn) => void attempts.push(`${owner?.user}: ${turn.user}`),
      forget: async () => 0,
    }),
  }
  const other = openHomes(storage, provider)
  let erased = false
  const erasing: StorageBackend = {
    ...storage,
    async update(paths, plan, options) {
      if (!erased && paths.some((path) => path.endsWith('provider/testing.json'))) {
        erased = true
        await other.homes.erase('ann')
      }
      return storage.update(paths, plan, options)
    },
  }
  const first = openHomes(erasing, provider)
  const ann = first.homes.for('ann')
  await ann.memoryStore().apply('user', { action: 'add', content: 'Likes tea.' })
  ann.session('chat').recordTurn({ messages: [user('I have diabetes.')] })
  await ann.settled()
  await first.homes.close()
  await other.homes.close()
  expect(erased).toBe(true)
  expect(attempts).toEqual([])
  expect(JSON.stringify(await texts(storage))).not.toContain('diabetes')
})

const texts = async (storage: StorageBackend): Promise<readonly string[]> => {
  const listed = await storage.list('')
  const paths = listed.ok ? listed.value.map(({ path }) => path) : []
  const found = await Promise.all(paths.map((path) => readDocument(storage, path)))
  return found.map((each) => (each.ok && each.value ? new TextDecoder().decode(each.value.bytes) : ''))
}

it('stores a finished turn, delivers it, and removes it', async () => {
  const turns: ProviderTurn[] = []
  const { connection, finish, stored, crashes, troubles } = openConnection({ syncTurn: async (turn) => void turns.push(turn) })
  await finish('I like tea.')
  expect((await stored())?.items).toMatchObject([{ kind: 'turn', user: 'I like tea.', assistant: 'I see.' }])
  await finish('My password is hunter22secret.')
  await connection.settled()
  expect(turns.map(({ user }) => user)).toEqual(['I like tea.', '[redacted: looks like a secret]'])
  expect(turns[0]).toEqual({
    id: expect.any(String),
    at: START,
    sessionId: 'chat',
    user: 'I like tea.',
    assistant: 'I see.',
    automated: false,
  })
  expect(await stored()).toBeUndefined()
  expect(connection.canClose).toBe(true)
  expect([...crashes, ...troubles()]).toEqual([])
})

it('hands over the beginning of a huge message, and is quick about it', async () => {
  const turns: ProviderTurn[] = []
  const { connection, finish } = openConnection({ syncTurn: async (turn) => void turns.push(turn) })
  const huge = `My cat is called Tom. ${'\u{1f600}'.repeat(5_000_000)}`
  await finish(huge, huge)
  await connection.settled()
  const [turn] = turns
  expect(turn?.user).toMatch(/^My cat is called Tom\. /)
  expect(Array.from(turn?.user ?? '')).toHaveLength(32_000)
  expect(turn?.assistant).toBe(turn?.user)
})

it.each([
  [[], /at most one external provider/],
  [{ name: 'My Provider', initialize: () => ({}) }, /its name is not/],
  [{ name: 'notes' }, /no function initialize/],
  [{ name: 'notes', initialize: () => ({}), tools: [{ name: 'x' }] }, /the description of tool 'x'/],
  [{ name: 'notes', initialize: () => ({}), systemPromptBlock: 'x'.repeat(2_001) }, /longer than 2000/],
  [{ name: 'notes', initialize: () => ({}), systemPromptBlock: 'a <memory-context> b' }, /fence of recalled text/],
])('refuses %j', (provider, message) => {
  expect(providerFault(provider)).toMatch(message)
})

it('holds up a compaction for one time limit only, although the provider is being opened for a delivery', async () => {
  const opened = openConnection({}, { provider: { initialize: () => new Promise(() => {}) } })
  await opened.finish('hello')
  await opened.time.pass()
  let answer: string | undefined
  void opened.connection.beforeCompress({ sessionId: 'chat' }, []).then((text) => {
    answer = text
  })
  await opened.time.move(1_000)
  expect(answer).toBe('')
})
