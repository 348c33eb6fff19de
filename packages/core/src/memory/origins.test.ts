import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { FACTS_PATH, MEMORY_PATHS } from '../storage/storage-paths.ts'
import { type FactsChange, nextFacts, type PinnedEntry } from './change-facts.ts'
import { encodeFacts, type FactRecord, type FactsFile, moreFacts, NO_FACTS, parseFacts, type RecordedSource, writeFacts } from './facts.ts'
import type { EntryOrigin, MemoryOp } from './memory-op.ts'
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
    await store.apply('memory', { action: 'add', content: 'of the loop' }, undefined, { actor: 'agent' })
    await store.apply('memory', { action: 'add', content: FACT })
    await store.current('memory')
    expect([...store.origins('memory').values()]).toEqual(['host', 'user', 'user', 'host', 'external'])
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

/** The facts after a write: whose words an entry is, how old it is, and which records go. */
const NOW = 1_000_000_000

const after = (records: Readonly<Record<string, FactRecord>>, change: Partial<FactsChange>) => {
  const confirmed = change.confirmed ?? []
  const whole = {
    at: NOW,
    before: [],
    confirmed,
    previous: [],
    replacements: new Map(),
    times: new Map(),
    wasOutside: () => false,
    ...change,
  }
  return nextFacts(new Map(Object.entries(records)), { after: [...new Set([...whole.before, ...confirmed])], ...whole })
}

const record = (origin: FactRecord['origin'], at = 5): FactRecord => ({ origin, firstSeenAt: at, lastConfirmedAt: at })

describe('an entry that is added again', () => {
  it.each<[string, FactRecord, RecordedSource, object]>([
    [
      'of which only a pin was recorded, begins its age now',
      { ...record('external', 0), pinned: true },
      { origin: 'user' },
      { firstSeenAt: NOW },
    ],
    [
      'from a page, in words that raise it, begins its age now',
      record('tool'),
      { origin: 'assistant', raises: true },
      { firstSeenAt: NOW },
    ],
    ['from a page, by the user, keeps its age', record('tool'), { origin: 'user' }, { firstSeenAt: 5 }],
    ['of the agent, in words that raise it, keeps its age', record('assistant'), { origin: 'user', raises: true }, { firstSeenAt: 5 }],
  ])('%s', (_, known, source, expected) => {
    const next = after({ a: known }, { source, confirmed: ['a'], before: ['a'] })
    expect(next.get('a')).toMatchObject({ origin: source.origin, lastConfirmedAt: NOW, ...expected })
  })
})

const said = (origin: FactRecord['origin'], sessionId?: string): FactRecord => ({
  ...record(origin),
  ...(sessionId === undefined ? {} : { sessionId }),
})

describe('an entry that is said again', () => {
  it.each<[string, FactRecord, Partial<FactsChange>, string | undefined]>([
    ['stays with the session that said it', said('user', 'first'), { source: { origin: 'user', sessionId: 'second' } }, 'first'],
    ['stays with the session that learned it', said('assistant', 'first'), { source: { origin: 'tool', sessionId: 'second' } }, 'first'],
    ['stays without one', said('user'), { source: { origin: 'user', sessionId: 'second' } }, undefined],
    ['goes with no session once it is stated outside of any', said('user', 'first'), { source: { origin: 'user' } }, undefined],
    ['goes with the session that raised it', said('assistant', 'first'), { source: { origin: 'user', sessionId: 'second' } }, 'second'],
    ['stays with its session if no source is named', said('user', 'first'), { source: { origin: 'user' }, mode: 'unnamed' }, 'first'],
  ])('%s', (_, known, change, sessionId) => {
    expect(after({ a: known }, { ...change, confirmed: ['a'], before: ['a'] }).get('a')?.sessionId).toBe(sessionId)
  })
})

it.each<[string, FactRecord, RecordedSource | undefined, string | undefined]>([
  ['the user may set, of their own', record('user'), { origin: 'user' }, '2026-12-04'],
  ["the host may set, of the user's", record('user'), { origin: 'host' }, '2026-12-04'],
  ['the agent may set, of one from a page', record('tool'), { origin: 'assistant' }, '2026-12-04'],
  ['a page may set, of one from a page', record('tool'), { origin: 'tool' }, '2026-12-04'],
  ["a page cannot set, of the user's", record('user'), { origin: 'tool' }, undefined],
  ['the agent cannot set, of one by hand', { ...record('external', 0), pinned: true }, { origin: 'assistant' }, undefined],
  ['cannot be set without a source', record('tool'), undefined, undefined],
])('days of an entry: those that %s', (_, known, source, until) => {
  const times = new Map([['a', { until: '2026-12-04' }]])
  expect(after({ a: known }, { source, times, confirmed: ['a'], before: ['a'] }).get('a')?.until).toBe(until)
})

it.each<[string, RecordedSource | undefined, EntryOrigin]>([
  ['by hand', undefined, 'tool'],
  ['from the agent', { origin: 'assistant' }, 'tool'],
  ["with the host's dates", { origin: 'host', firstSeenAt: 3 }, 'tool'],
  ["with the user's dates", { origin: 'user', firstSeenAt: 3 }, 'user'],
  ['from the host', { origin: 'host' }, 'host'],
])('a text that left as one from outside and comes back %s', (_, source, origin) => {
  expect(after({}, { source, confirmed: ['a'], wasOutside: () => true }).get('a')?.origin).toBe(origin)
})

it.each<[string, Readonly<Record<string, FactRecord>>, Partial<FactsChange>, string | undefined]>([
  ['is new: what is said of them', {}, { source: { origin: 'tool' }, times: new Map([['a', { until: '2026-12-04' }]]) }, '2026-12-04'],
  [
    'is raised: what the words that raise it say',
    { a: { ...record('tool'), until: '2026-12-04' } },
    { source: { origin: 'assistant', raises: true }, before: ['a'] },
    undefined,
  ],
  ['stands: those it has', { a: { ...record('tool'), until: '2026-12-04' } }, { source: { origin: 'tool' }, before: ['a'] }, '2026-12-04'],
])('the days of an entry that %s', (_, records, change, until) => {
  expect(after(records, { ...change, confirmed: ['a'] }).get('a')?.until).toBe(until)
})

it('a text that left a project as one from outside is one in the other stores, too', async () => {
  const store = new MemoryStore({ storage: inMemoryBackend(), project: 'shop' })
  await store.apply('project', { action: 'add', content: FACT }, { origin: 'tool' })
  await store.apply('project', { action: 'remove', oldText: FACT })
  await store.apply('memory', { action: 'add', content: FACT }, { origin: 'assistant' })
  expect(store.origins('memory').get(FACT)).toBe('tool')
})

it('keeps no record of an entry that has left', () => {
  expect(after({ a: record('user') }, { before: ['a'], after: [] })).toEqual(new Map())
})

it.each<[string, readonly string[], EntryOrigin | undefined]>([
  ['stands without a record stays without one', ['a'], undefined],
  ['is gone from the file, but not from the records, is trusted as little as before', [], 'tool'],
])('an entry that %s', (_, before, origin) => {
  const known = before.length === 0 ? { a: record('tool') } : {}
  const change = { source: { origin: 'assistant' }, confirmed: ['a'], before, wasOutside: () => before.length > 0 } as const
  expect(after(known, change).get('a')?.origin).toBe(origin)
})

it('an entry that is replaced by itself stays whose it was, unless that is taken back', () => {
  const change = { confirmed: ['a'], previous: ['a'], before: ['a'], replacements: new Map([['a', 'a']]) }
  expect(after({ a: record('user') }, { ...change, source: { origin: 'tool' } }).get('a')?.origin).toBe('user')
  expect(after({ a: record('user') }, { ...change, mode: 'takes-back' })).toEqual(new Map())
})

it('a record stays the same object if it says the same', () => {
  const pinned = { ...record('external', 0), pinned: true } as const
  expect(after({ a: pinned }, { source: { origin: 'assistant' }, confirmed: ['a'], before: ['a'] }).get('a')).toBe(pinned)
  const times = new Map([['a', { from: '2026-12-01' }]])
  expect(after({ a: pinned }, { source: { origin: 'host' }, confirmed: ['a'], before: ['a'], times }).get('a')?.from).toBe('2026-12-01')
})

it('trusts a text no more than any entry that it replaces, in whatever order', () => {
  const records = { mine: record('user'), page: record('tool') }
  for (const previous of [
    ['mine', 'page'],
    ['page', 'mine'],
  ]) {
    expect(
      after(records, { source: { origin: 'assistant' }, confirmed: ['new'], previous, before: ['mine', 'page'] }).get('new'),
    ).toMatchObject({
      origin: 'tool',
    })
  }
})

describe('the document', () => {
  const apply = (file: FactsFile, bytes: Uint8Array, next: ReturnType<typeof after>) => {
    const { put, append = new Uint8Array() } = writeFacts(file, 'memory', next)
    const written = put ?? new Uint8Array([...bytes, ...append])
    const parsed = parseFacts(written)
    if (!parsed.ok) throw parsed.error
    return { file: parsed.value, bytes: written, isWhole: put !== undefined }
  }

  it('is appended to, and written anew once most lines are replaced ones', () => {
    let state = { file: { facts: NO_FACTS, lines: 0 }, bytes: new Uint8Array() as Uint8Array, isWhole: false }
    let most = 0
    for (let at = 0; at < 1_000; at++) {
      const next = new Map([
        ['a', record('user', at)],
        [`entry ${at}`, record('tool', at)],
      ])
      state = apply(state.file, state.bytes, next)
      expect(state.file.facts.memory).toEqual(next)
      most = Math.max(most, state.file.lines)
    }
    expect(most).toBeLessThan(100)
  })

  it('is as readable if something else took away the end of a line', () => {
    const facts = { memory: new Map([['says {"target":"memory"}', record('user')]]), user: new Map([['b', record('tool')]]) }
    const lines = new TextDecoder().decode(encodeFacts(facts))
    expect(parseFacts(new TextEncoder().encode(lines.replaceAll('\n', '')))).toEqual({ ok: true, value: { facts, lines: 2 } })
    expect(parseFacts(new TextEncoder().encode(`{"target":"mem${lines}`))).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  })

  it('is not touched if no record changes', () => {
    const facts = { ...NO_FACTS, memory: new Map([['a', record('user')]]) }
    expect(writeFacts({ facts, lines: 1 }, 'memory', new Map(facts.memory))).toEqual({})
    expect(parseFacts(encodeFacts(facts))).toEqual({ ok: true, value: { facts, lines: 1 } })
  })

  it.each([
    ['no JSON', '{'],
    ['no object', '7'],
    ['no target', '{"entry":"a","origin":"user","firstSeenAt":1,"lastConfirmedAt":1}'],
    ['an unknown origin', '{"target":"memory","entry":"a","origin":"me","firstSeenAt":1,"lastConfirmedAt":1}'],
    ['no time', '{"target":"memory","entry":"a","origin":"user","firstSeenAt":1}'],
    ['a month', '{"target":"memory","entry":"a","origin":"user","firstSeenAt":1,"lastConfirmedAt":1,"from":"2026-12"}'],
    ['a list of days', '{"target":"memory","entry":"a","origin":"user","firstSeenAt":1,"lastConfirmedAt":1,"until":["2026-12-04"]}'],
    ['a pin that is none', '{"target":"memory","entry":"a","origin":"user","firstSeenAt":1,"lastConfirmedAt":1,"pinned":1}'],
  ])('is unreadable with a line that is %s', (_, line) => {
    expect(parseFacts(new TextEncoder().encode(`\n${line}\n`))).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  })
})

it('is read on from where it was read before as it is read from its beginning', () => {
  const encoder = new TextEncoder()
  const lines = [
    '{"target":"memory","entry":"a","origin":"user","firstSeenAt":1,"lastConfirmedAt":1}\n',
    '{"target":"user","entry":"a","origin":"host","firstSeenAt":1,"lastConfirmedAt":2}\n',
    '{"target":"memory","entry":"a","gone":true}\n',
    '{"target":"memory","entry":"b","origin":"tool","firstSeenAt":3,"lastConfirmedAt":3}{"target":"memory","entry":"c","gone":true}\n',
    '{"target":"memory","entry":"b","orig',
    '\uFEFF{"target":"memory","entry":"d","gone":true}\n',
    '\n',
  ]
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...lines), { maxLength: 6 }),
      fc.array(fc.constantFrom(...lines), { maxLength: 6 }),
      (first, more) => {
        const beginning = encoder.encode(first.join(''))
        const whole = encoder.encode([...first, ...more].join(''))
        const before = parseFacts(beginning)
        const read = before.ok ? moreFacts(before.value, beginning, whole) : undefined
        const expected = parseFacts(whole)
        if (read) expect({ ok: true, value: read }).toEqual(expected)
        else if (before.ok && expected.ok) expect(beginning.at(-1)).not.toBe(10)
      },
    ),
    { numRuns: rounds(500) },
  )
})

it('leaves no record of a pin that was taken away, and the rest of a record', async () => {
  const storage = inMemoryBackend()
  const store = new MemoryStore({ storage, clock: () => NOW })
  await store.apply('memory', { action: 'add', content: 'by hand' }, { origin: 'external' })
  await store.apply('memory', { action: 'add', content: 'said' }, { origin: 'user' })
  const before = await readDocument(storage, FACTS_PATH)
  const factsIn = (read: typeof before) => parseFacts(read.ok ? read.value?.bytes : undefined)
  const present = async () => {
    const facts = factsIn(await readDocument(storage, FACTS_PATH))
    return facts.ok && facts.value.facts
  }
  const known = factsIn(before)
  for (const entry of ['by hand', 'said']) {
    await store.pin('memory', entry)
    expect(await present()).not.toEqual(known.ok && known.value.facts)
    await store.unpin('memory', entry)
    expect(await present()).toEqual(known.ok && known.value.facts)
  }
})

describe('take back', () => {
  const NOW = 1_800_000_000_000

  const storeWith = async (...contents: readonly string[]): Promise<MemoryStore> => {
    const store = new MemoryStore({ storage: inMemoryBackend(), clock: () => NOW })
    for (const content of contents) await store.apply('memory', { action: 'add', content }, { origin: 'tool' })
    return store
  }

  it('changes only an entry that is still the whole text', async () => {
    const store = await storeWith('builds with pnpm 12, and with Node 22')
    for (const op of [
      { action: 'remove', oldText: 'builds with pnpm 12' },
      { action: 'replace', oldText: 'builds with pnpm 12', content: 'builds with npm' },
    ] as const) {
      const done = await store.takeBack('memory', op)
      expect(done.ok ? 'ok' : [done.error.code, done.error.message]).toEqual(['drift', expect.stringContaining('changed or removed since')])
    }
    expect(await store.current('memory')).toEqual({ ok: true, value: ['builds with pnpm 12, and with Node 22'] })
  })

  it('gives an entry its former origin and age, whatever replaced it', async () => {
    const store = await storeWith('from a page')
    const source = { origin: 'user', firstSeenAt: 5, lastConfirmedAt: 7 } as const
    await store.takeBack('memory', { action: 'replace', oldText: 'from a page', content: 'my own words' }, source)
    expect(await store.facts('memory')).toMatchObject({
      value: [{ entry: 'my own words', origin: 'user', firstSeenAt: 5, lastConfirmedAt: 7 }],
    })
  })

  it('trusts an entry of unknown origin no more than what replaced it', async () => {
    const store = await storeWith('from a page')
    await store.takeBack('memory', { action: 'replace', oldText: 'from a page', content: 'by hand' })
    expect(await store.facts('memory')).toMatchObject({ value: [{ entry: 'by hand', origin: 'tool' }] })
  })

  it('makes an entry that was written by hand one again, whatever rewrote it', async () => {
    const store = await storeWith('from a page')
    await store.takeBack('memory', { action: 'replace', oldText: 'from a page', content: 'by hand' }, { origin: 'external' })
    expect(await store.facts('memory')).toMatchObject({ value: [{ entry: 'by hand', origin: 'external', firstSeenAt: 0 }] })
  })

  it.each(['tool', 'external'] as const)('gives an entry that was raised its former origin: %s', async (origin) => {
    const store = new MemoryStore({ storage: inMemoryBackend(), clock: () => NOW })
    await store.apply('memory', { action: 'add', content: 'one' }, { origin })
    const raised = await store.apply('memory', { action: 'add', content: 'one' }, { origin: 'user' })
    expect(raised).toMatchObject({ value: { facts: [{ previous: { origin }, content: { origin: 'user' } }] } })
    await store.takeBack('memory', { action: 'replace', oldText: 'one', content: 'one' }, { origin })
    expect(await store.facts('memory')).toMatchObject({ value: [{ entry: 'one', origin }] })
  })

  it('lowers no entry that stands beside the one it takes back', async () => {
    const store = await storeWith('from a page')
    await store.apply('memory', { action: 'add', content: 'mine' }, { origin: 'user' })
    for (const origin of ['tool', 'external'] as const) {
      await store.takeBack('memory', { action: 'replace', oldText: 'from a page', content: 'mine' }, { origin })
      expect(store.origins('memory').get('mine')).toBe('user')
      await store.apply('memory', { action: 'add', content: 'from a page' }, { origin: 'tool' })
    }
  })
})

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

  it.each<[unknown, string]>([
    ['tea', 'ambiguous'],
    ['coffee', 'not_found'],
    [' ', 'empty'],
    [7, 'invalid'],
  ])('is set on no entry by the text %j: %s', async (text, code) => {
    const { store, write } = openStore()
    await write([add('Drinks tea'), add('Sells tea')])
    expect(await Reflect.apply(store.pin, store, ['memory', text])).toMatchObject({ ok: false, error: { code } })
  })

  it('is refused where nobody knows whose words the entries are', async () => {
    const { store, storage, write } = openStore()
    await write(add('Drinks tea'))
    await updateDocument(storage, FACTS_PATH, () => new TextEncoder().encode('damaged'))
    expect(await store.pin('memory', 'tea')).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  })

  it('that comes and goes does not fill the document', async () => {
    const { store, storage, write, facts } = openStore()
    await write(add('Drinks tea'), 'user')
    for (let round = 0; round < 80; round++) await (round % 2 === 0 ? store.pin('memory', 'tea') : store.unpin('memory', 'tea'))
    const document = await readDocument(storage, FACTS_PATH)
    const parsed = parseFacts(document.ok ? document.value?.bytes : undefined)
    expect(parsed.ok && parsed.value.lines).toBeLessThan(70)
    expect(await facts()).toEqual([['Drinks tea', 'user', false]])
  })

  it('is refused for what looks like a secret, of which nothing is copied', async () => {
    const { store, storage } = openStore()
    await updateDocument(storage, 'memories/MEMORY.md', () => new TextEncoder().encode(`key sk-proj-${'a1B2c3D4e5'.repeat(2)}`))
    expect(await store.pin('memory', 'key')).toMatchObject({ ok: false, error: { code: 'blocked' } })
    expect(await store.unpin('memory', 'key')).toMatchObject({ ok: true, value: { changed: false } })
    expect(await storage.list('')).toMatchObject({ value: [{ path: 'memories/MEMORY.md' }] })
  })
})
