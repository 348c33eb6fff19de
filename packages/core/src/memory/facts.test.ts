/** The facts after a write: whose words an entry is, how old it is, and which records go. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument } from '../storage/one-document.ts'
import { FACTS_PATH } from '../storage/storage-paths.ts'
import { type FactsChange, nextFacts } from './change-facts.ts'
import { encodeFacts, type FactRecord, type FactsFile, moreFacts, NO_FACTS, parseFacts, type RecordedSource, writeFacts } from './facts.ts'
import { MemoryStore } from './memory-store.ts'

const NOW = 1_000_000_000

const after = (records: Readonly<Record<string, FactRecord>>, change: Partial<FactsChange>) => {
  const confirmed = change.confirmed ?? []
  const whole = { at: NOW, before: [], confirmed, previous: [], replacements: new Map(), formerly: () => undefined, ...change }
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

it.each<[RecordedSource | undefined, string | undefined]>([
  [{ origin: 'assistant' }, 'tool'],
  [undefined, 'tool'],
  [{ origin: 'user' }, 'user'],
  [{ origin: 'assistant', raises: true }, 'assistant'],
])('keeps an archived text from outside what it was when %j adds it again', (source, origin) => {
  expect(after({}, { source, confirmed: ['a'], formerly: () => 'tool' }).get('a')?.origin).toBe(origin)
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

  it.each([
    ['no JSON', '{'],
    ['no object', '7'],
    ['no target', '{"entry":"a","origin":"user","firstSeenAt":1,"lastConfirmedAt":1}'],
    ['an unknown origin', '{"target":"memory","entry":"a","origin":"me","firstSeenAt":1,"lastConfirmedAt":1}'],
    ['no time', '{"target":"memory","entry":"a","origin":"user","firstSeenAt":1}'],
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
    { numRuns: 500 },
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
