/** A full store keeps learning: the least valuable entries are archived. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import type { Origin } from '../shared/origin.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { FACTS_PATH, MEMORY_PATHS } from '../storage/storage-paths.ts'
import type { MemorySource } from './facts.ts'
import { makeRoom } from './make-room.ts'
import type { EntryFacts, EntryOrigin, MemoryOp } from './memory-op.ts'
import { MemoryStore } from './memory-store.ts'
import type { MemoryStoreOptions } from './memory-store-options.ts'

const add = (content: string): MemoryOp => ({ action: 'add', content })
const replace = (oldText: string, content: string): MemoryOp => ({ action: 'replace', oldText, content })

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

const NEW = 'new fact here'
type Row = readonly [entry: string, origin: EntryOrigin, lastConfirmedAt: number, more?: Partial<EntryFacts>]

/** The entries evicted so that the new fact fits into `charLimit` code points. */
const evicts = (rows: readonly Row[], charLimit: number, source?: MemorySource, previous: readonly string[] = []) => {
  const facts = rows.map(
    ([entry, origin, lastConfirmedAt, more]): EntryFacts => ({ entry, origin, firstSeenAt: 1, lastConfirmedAt, ...more }),
  )
  const entries = [...rows.map(([entry]) => entry).filter((entry) => !previous.includes(entry)), NEW]
  const room = { source, facts: new Map(facts.map((each) => [each.entry, each])) }
  return makeRoom({ entries, named: new Set([NEW]), previous, charLimit }, room)?.map(({ text }) => text)
}

// With the new one 43 code points: 4 entries of 4 or 13, 3 delimiters of 3.
const three: readonly Row[] = [
  ['said', 'user', 1],
  ['noted', 'assistant', 2],
  ['read', 'tool', 3],
]

describe('what makes room', () => {
  it('is the least trusted; among equals the one confirmed longest ago, then the one seen first, then the first in the store', () => {
    expect(evicts(three, 34, { origin: 'user' })).toEqual(['read'])
    expect(evicts(three, 26, { origin: 'user' })).toEqual(['read', 'noted'])
    expect(evicts(three, 13, { origin: 'user' })).toEqual(['read', 'noted', 'said'])
    const equals: readonly Row[] = [
      ['a', 'user', 5],
      ['b', 'user', 4, { firstSeenAt: 3 }],
      ['c', 'user', 4, { firstSeenAt: 2 }],
      ['d', 'user', 4, { firstSeenAt: 2 }],
    ]
    expect(evicts(equals, 25)).toEqual(['c'])
    expect(evicts(equals, 21)).toEqual(['c', 'd'])
    expect(evicts(equals, 17)).toEqual(['c', 'd', 'b'])
  })

  it('contains the placeholder for outside text if the change rewrites such an entry, whoever rewrites it', () => {
    const rows: readonly Row[] = [...three, ['old page', 'tool', 9]]
    expect(evicts(rows, 27, { origin: 'assistant' }, ['old page'])).toBeUndefined()
    expect(evicts(rows, 34, { origin: 'assistant' }, ['old page'])).toEqual(['read'])
    expect(evicts(rows, 26, { origin: 'assistant', raises: true }, ['old page'])).toEqual(['read', 'noted'])
    expect(evicts(rows, 13, { origin: 'user' }, ['old page'])).toEqual(['read', 'noted', 'said'])
    expect(evicts(three, 26, { origin: 'assistant' }, ['written by nobody known'])).toEqual(['read', 'noted'])
  })

  it('is from outside alone if text from outside was in sight, whoever writes', () => {
    for (const origin of ['user', 'assistant', 'tool'] as const) {
      expect(evicts(three, 34, { origin, sight: 'outside' })).toEqual(['read'])
      expect(evicts(three, 27, { origin, sight: 'outside', raises: true })).toBeUndefined()
      expect(evicts(three, 26, { origin: 'user', sight: 'own' })).toEqual(['read', 'noted'])
    }
  })

  it('is not more than needed, to the code point', () => {
    expect(evicts(three, 35, { origin: 'user' })).toEqual([])
    expect(evicts(three, 28, { origin: 'user' })).toEqual(['read'])
    expect(evicts(three, 27, { origin: 'user' })).toEqual(['noted'])
    expect(
      evicts(
        [
          ['a', 'tool', 1],
          ['a long entry', 'tool', 2],
        ],
        17,
        { origin: 'user' },
      ),
    ).toEqual(['a long entry'])
  })

  it('is never pinned, written by hand, named by the change, or unknown', () => {
    const kept: readonly Row[] = [
      ['hand', 'external', 0],
      ['keep', 'user', 0, { pinned: true }],
    ]
    expect(evicts(kept, 20)).toBeUndefined()
    expect(
      makeRoom({ entries: ['x', NEW], named: new Set([NEW]), previous: [], charLimit: 13 }, { source: undefined, facts: new Map() }),
    ).toBeUndefined()
  })

  it('is never another one of the own entries because of what is there from outside', () => {
    const row = fc.tuple(
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom<EntryOrigin[]>('user', 'assistant', 'external', 'tool'),
      fc.nat(9),
    )
    const run = fc.property(fc.array(row, { maxLength: 10 }), fc.constantFrom<Origin[]>('user', 'assistant'), (drawn, origin) => {
      const rows = drawn.map(([chars, whose, at], index): Row => [String.fromCharCode(97 + index).repeat(chars), whose, at])
      const own = rows.filter(([, whose]) => whose !== 'tool')
      // Without text from outside, the existing entries fit.
      const limit = Math.max(
        20,
        own.reduce((sum, [entry]) => sum + entry.length + 3, -3),
      )
      const goes = (among: readonly Row[]) => evicts(among, limit, { origin })?.filter((text) => own.some(([entry]) => entry === text))
      expect(goes(rows)).toEqual(goes(own))
    })
    fc.assert(run, { seed: 20_261_123, numRuns: rounds(2_000) })
  })
})
