/** Many owners in one storage: each has a separate memory, with any handle and in any process. */
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { createHermesHomes } from '../../src/create-hermes-homes.ts'
import type { HermesHomesOptions } from '../../src/hermes-options.ts'
import type { Owner } from '../../src/homes/owner.ts'
import { listOwners } from '../../src/homes/owners.ts'
import { takeOwners } from '../../src/run-upkeep.ts'
import type { HermesEvent } from '../../src/session/hermes-event.ts'
import { ok } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { proposing, talk } from '../session/open-home.ts'

const openHomes = (storage: StorageBackend = inMemoryBackend(), options: Partial<HermesHomesOptions> = {}) => {
  const events: HermesEvent[] = []
  let now = 3_600_000
  const homes = createHermesHomes({ storage, clock: () => now++, onEvent: (event) => events.push(event), ...options })
  return { homes, events, storage, wait: (ms: number) => (now += ms) }
}

type Homes = ReturnType<typeof openHomes>['homes']

/** Ten turns, after which a review learns `fact`. */
const learn = async (homes: Homes, owner: Owner, fact: string, sessionId = 'chat') => {
  const session = homes.for(owner).session(sessionId)
  await session.systemBlock()
  for (let turn = 0; turn < 10; turn++) talk(session, [], `${fact} (${turn})`, proposing(fact))
  await session.settled()
}

const blockOf = (homes: Homes, owner: Owner, sessionId = 'next') => homes.for(owner).session(sessionId).systemBlock()

/** All paths and contents. */
const everything = async (storage: StorageBackend): Promise<string> => {
  const listed = await storage.list('')
  if (!listed.ok) throw listed.error
  const texts = await Promise.all(
    listed.value.map(async ({ path }) => {
      const read = await readDocument(storage, path)
      return `${path}\n${new TextDecoder().decode(read.ok ? read.value?.bytes : undefined)}`
    }),
  )
  return texts.join('\n')
}

describe('for', () => {
  it('gives each owner a memory of their own', async () => {
    const { homes } = openHomes()
    await learn(homes, 'alice', 'Alice has diabetes')
    await learn(homes, { tenant: 'acme', user: 'alice' }, 'This Alice plays chess')
    expect(await blockOf(homes, 'alice')).toContain('diabetes')
    expect(await blockOf(homes, { user: 'alice' })).toContain('diabetes')
    expect(await blockOf(homes, 'bob')).toBe('')
    const tenants = await blockOf(homes, { tenant: 'acme', user: 'alice' })
    expect(tenants).toContain('chess')
    expect(tenants).not.toContain('diabetes')
  })

  it('writes nothing for an owner who is only looked up', async () => {
    const { homes, storage } = openHomes()
    const store = homes.for('alice').memoryStore()
    await store.load()
    await homes.for('alice').journal.list()
    await homes.for('alice').pending.list()
    expect(await everything(storage)).toBe('')
    expect(await homes.list()).toEqual({ ok: true, value: [] })
  })

  it.each<[string, unknown, RegExp]>([
    ['empty', '', /user is empty.*id of the signed-in user/],
    ['missing', undefined, /of type undefined/],
    ['null', null, /is null/],
    ['a number', 42, /of type number/],
    ['10 MB', 'x'.repeat(10_000_000), /10000000 characters/],
    ['half a character', '\ud800', /half a character/],
    ['no user', { tenant: 'acme' }, /user is of type undefined/],
    ['an empty tenant', { tenant: '', user: 'a' }, /tenant is empty.*leave it out/],
    ['a misspelt key', { usr: 'a', user: 'b' }, /'usr'/],
  ])('refuses %s and says what to pass', (_, owner, message) => {
    const { homes } = openHomes()
    expect(() => Reflect.apply(homes.for, undefined, [owner])).toThrow(message)
    expect(() => Reflect.apply(homes.for, undefined, [owner])).toThrow(TypeError)
  })
})

describe('list', () => {
  it('lists everyone who has data, by the names they came with', async () => {
    const owners: readonly Owner[] = [
      'alice',
      { tenant: 'acme', user: 'Bob' },
      'x'.repeat(500),
      '../../etc',
      'memories',
      'é',
      'e\u0301',
      '\u202eeve',
      'nul',
      'a\u0000b',
    ]
    const { homes } = openHomes()
    for (const owner of owners) await homes.for(owner).memoryStore().apply('user', { action: 'add', content: 'Is here' })
    const listed = await homes.list()
    const names = listed.ok ? listed.value.map(({ tenant, user }) => [tenant, user].join()) : []
    expect([...names].sort()).toEqual(owners.map((owner) => (typeof owner === 'string' ? `,${owner}` : 'acme,Bob')).sort())
  })
})

describe('erase', () => {
  it('leaves no byte of the owner, and says what was removed', async () => {
    const { homes, storage } = openHomes()
    await learn(homes, 'alice-marker', 'Alice has diabetes')
    await learn(homes, 'bob', 'Bob likes tea')
    const erased = await homes.erase('alice-marker')
    expect(erased).toMatchObject({ ok: true, value: { owner: { user: 'alice-marker' }, folders: { memories: 2, sessions: 3 } } })
    expect(await everything(storage)).not.toMatch(/alice|diabetes/i)
    expect(await blockOf(homes, 'bob')).toContain('tea')
    expect(await homes.erase('alice-marker')).toMatchObject({ ok: true, value: { documents: 0 } })
  })

  it('cuts off handles and sessions that are at hand, which show and write nothing any more', async () => {
    const { homes, storage } = openHomes()
    await learn(homes, 'alice', 'Alice has diabetes')
    const hermes = homes.for('alice')
    const session = hermes.session('open')
    expect(await session.systemBlock()).toContain('diabetes')
    await homes.erase('alice')
    expect(await session.systemBlock()).toBe('')
    talk(session, [], 'I have diabetes')
    await session.settled()
    expect(await hermes.memoryStore().apply('user', { action: 'add', content: 'Alice has diabetes' })).toMatchObject({
      ok: false,
      error: { code: 'closed' },
    })
    expect(await everything(storage)).not.toMatch(/alice|diabetes/i)
    expect(homes.for('alice')).not.toBe(hermes)
  })

  it('calls off a review in progress, and nothing of it is written', async () => {
    const { homes, storage } = openHomes()
    const session = homes.for('alice').session('chat')
    await session.systemBlock()
    let answer = (_: string) => {}
    const asked = new Promise<void>((begun) => {
      const model = () => {
        begun()
        return new Promise<string>((resolve) => (answer = resolve))
      }
      for (let turn = 0; turn < 10; turn++) talk(session, [], `I have diabetes (${turn})`, model)
    })
    await asked
    const erasing = homes.erase('alice')
    answer(String(await proposing('Alice has diabetes')({ messages: [], purpose: 'review' } as never)))
    expect(await erasing).toMatchObject({ ok: true })
    await homes.settled()
    expect(await everything(storage)).not.toMatch(/alice|diabetes/i)
  })
})

describe('upkeep', () => {
  it('begins reviews that were cancelled, in the homes of those who do not come back', async () => {
    const documents = new Map()
    const { homes: closed } = openHomes(inMemoryBackend(documents))
    const session = closed.for('alice').session('chat')
    await session.systemBlock()
    const asked = new Promise<void>((begun) => {
      const model = () => {
        begun()
        return new Promise<string>(() => {})
      }
      for (let turn = 0; turn < 10; turn++) talk(session, [], `I like tea (${turn})`, model)
    })
    await asked
    await closed.close()
    const { homes, events } = openHomes(inMemoryBackend(documents), { review: { model: proposing('The user likes tea') } })
    expect(await homes.upkeep()).toMatchObject({ ok: true, value: { homes: 1, reviews: 1, roundFinished: true } })
    expect(events.find(({ type }) => type === 'review-finished')).toMatchObject({ owner: { user: 'alice' } })
    expect(await blockOf(homes, 'alice')).toContain('likes tea')
    expect(await homes.upkeep()).toMatchObject({ ok: true, value: { homes: 1, reviews: 0 } })
  })
})

/** More owners than are processed without a pause. */
/** How often the event loop turned meanwhile. */
const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let turns = 0
  let isWorking = true
  const count = () => {
    turns += 1
    if (isWorking) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isWorking = false
  return turns
}

const OWNERS = rounds(100_000)

describe(`${OWNERS} owners`, () => {
  const names = Array.from({ length: OWNERS }, (_, index) => `user-${index}`)

  it('are listed in pieces', async () => {
    const listed = ok(names.map((name) => ({ path: `owners/~none/${name}.json`, size: 1, stamp: '' })))
    const storage = { ...inMemoryBackend(), list: async () => listed }
    let found: Awaited<ReturnType<typeof listOwners>> | undefined
    expect(await turnsDuring(async () => (found = await listOwners(storage)))).toBeGreaterThan(rounds(50))
    expect(found?.ok && found.value.owners.length).toBe(OWNERS)
  })

  it('each have their turn once in a round', async () => {
    const owners = names.map((user) => ({ user }))
    const storage = inMemoryBackend()
    const seen: string[] = []
    for (let isEnd = false; !isEnd; ) {
      const taken = await takeOwners(storage, owners, 9_999)
      if (!taken.ok) throw new Error('not taken')
      for (const { user } of taken.value.owners) seen.push(user)
      isEnd = taken.value.isEnd
    }
    expect(seen).toHaveLength(OWNERS)
    expect(new Set(seen).size).toBe(OWNERS)
  })
})

/** Work that runs during or directly after the erasure of an owner restores none of their data. */
describe('erase meanwhile', () => {
  const openHomes = (storage: StorageBackend) => createHermesHomes({ storage, onEvent: () => undefined })

  const note = (homes: ReturnType<typeof openHomes>, user: string, content: string) =>
    homes.for(user).memoryStore().apply('user', { action: 'add', content })

  const pathsOf = async (storage: StorageBackend): Promise<readonly string[]> => {
    const listed = await storage.list('')
    return listed.ok ? listed.value.map(({ path }) => path) : [String(listed.error)]
  }

  /** Runs a function once, before the first update of a path. */
  const beforeUpdateOf = (storage: StorageBackend, isMeant: (path: string) => boolean, act: () => Promise<unknown>): StorageBackend => {
    let done = false
    return {
      ...storage,
      async update(paths, plan, options) {
        if (!done && paths.some(isMeant)) {
          done = true
          await act()
        }
        return storage.update(paths, plan, options)
      },
    }
  }

  describe('erase', () => {
    it('cuts off also the handle that was opened while it was in progress', async () => {
      const documents = inMemoryBackend()
      let isErasing = false
      let blockMeanwhile = ''
      const storage = beforeUpdateOf(
        documents,
        (path) => isErasing && path.startsWith('owners/'),
        async () => {
          blockMeanwhile = await homes.for('alice').session('chat').systemBlock()
          await homes.settled()
        },
      )
      const homes = openHomes(storage)
      await note(homes, 'alice', 'Alice has diabetes')
      isErasing = true
      expect(await homes.erase('alice')).toMatchObject({ ok: true })
      expect(blockMeanwhile).toContain('diabetes')
      expect(await homes.for('alice').session('chat').systemBlock()).toBe('')
    })
  })

  describe('a write of another process', () => {
    it('is not made at all, wherever the erasure comes in between', async () => {
      const documents = inMemoryBackend()
      const erasing = openHomes(documents)
      let changes: string[] = []
      const storage = beforeUpdateOf(
        {
          ...documents,
          update: (paths, plan, options) =>
            documents.update(
              paths,
              (cut) => {
                const planned = plan(cut)
                changes.push(...Object.keys({ ...planned.put, ...planned.append }))
                return planned
              },
              options,
            ),
        },
        (path) => path.endsWith('/USER.md'),
        async () => {
          await erasing.erase('alice')
          changes = []
        },
      )
      await note(erasing, 'alice', 'Is here')
      const home = openHomes(storage).for('alice')
      const store = home.memoryStore()
      await store.load()
      expect(await store.apply('user', { action: 'add', content: 'Has diabetes' })).toMatchObject({ ok: false, error: { code: 'closed' } })
      await home.settled()
      expect(changes).toEqual([])
      expect(await pathsOf(documents)).toEqual([])
    })
  })

  describe('upkeep', () => {
    it('finishes the erasure of a large home that was interrupted', async () => {
      const documents = inMemoryBackend()
      const homes = openHomes(documents)
      const put = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`skills/${index}`, new Uint8Array(1)]))
      await homes.storage('alice').update(['skills/'], () => ({ put, value: 0 }))
      await note(homes, 'bob', 'Is here')
      let updates = 0
      const failing: StorageBackend = {
        ...documents,
        update: async (paths, plan, options) => {
          if (++updates === 2) throw new Error('The database is down.')
          return documents.update(paths, plan, options)
        },
      }
      expect(await openHomes(failing).erase('alice')).toMatchObject({ ok: false, error: { code: 'io' } })
      expect(await homes.list()).toEqual({ ok: true, value: [{ user: 'alice' }, { user: 'bob' }] })
      expect(await homes.upkeep()).toMatchObject({ ok: true, value: { homes: 2, roundFinished: true } })
      expect((await pathsOf(documents)).join()).not.toContain('alice')
      expect(await homes.for('bob').session('chat').systemBlock()).toContain('Is here')
    })
  })
})
