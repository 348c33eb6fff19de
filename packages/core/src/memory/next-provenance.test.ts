/** The records after a write: whose words an entry is, how old it is, and which records go. */

import { describe, expect, it } from 'vitest'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument } from '../storage/one-document.ts'
import { PROVENANCE_PATH } from '../storage/storage-paths.ts'
import { MemoryStore } from './memory-store.ts'
import { EMPTY_PROVENANCE, nextProvenance, type ProvenanceChange, type ProvenanceRecord, type RecordedSource } from './provenance.ts'

const NOW = 1_000_000_000
const MINUTE = 60_000

const after = (records: Readonly<Record<string, ProvenanceRecord>>, change: Partial<ProvenanceChange>) =>
  nextProvenance(
    { ...EMPTY_PROVENANCE, memory: records },
    { target: 'memory', at: NOW, present: new Set(), confirmed: [], previous: [], replacements: [], ...change },
  )?.memory

const record = (origin: ProvenanceRecord['origin'], at = 5): ProvenanceRecord => ({ origin, firstSeenAt: at, lastConfirmedAt: at })

describe('an entry that is added again', () => {
  it.each<[string, ProvenanceRecord, RecordedSource, object]>([
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
    const next = after({ a: known }, { source, confirmed: ['a'], present: new Set(['a']) })
    expect(next?.['a']).toMatchObject({ origin: source.origin, lastConfirmedAt: NOW, ...expected })
  })
})

it('trusts a text no more than any entry that it replaces, in whatever order', () => {
  const records = { mine: record('user'), page: record('tool') }
  const present = new Set(['mine', 'page'])
  for (const previous of [
    ['mine', 'page'],
    ['page', 'mine'],
  ]) {
    expect(after(records, { source: { origin: 'assistant' }, confirmed: ['new'], previous, present })?.['new']).toMatchObject({
      origin: 'tool',
    })
  }
})

describe('a record without an entry', () => {
  it.each([
    ['stays for ten minutes, since its entry may be about to be written', NOW - 10 * MINUTE, undefined],
    ['goes after that, also if nothing else changes', NOW - 10 * MINUTE - 1, {}],
  ])('%s', (_, at, expected) => {
    expect(after({ a: record('tool', at) }, {})).toEqual(expected)
  })
})

it('does not write the records again if nothing of them changes', async () => {
  const storage = inMemoryBackend()
  const store = new MemoryStore({ storage, clock: () => NOW })
  await store.apply('memory', { action: 'add', content: 'a' }, { origin: 'user' })
  const before = await readDocument(storage, PROVENANCE_PATH)
  await store.apply('memory', { action: 'add', content: 'by hand' })
  expect(await readDocument(storage, PROVENANCE_PATH)).toEqual(before)
})

it('leaves no record of a pin that was taken away, and the rest of a record', async () => {
  const storage = inMemoryBackend()
  const store = new MemoryStore({ storage, clock: () => NOW })
  await store.apply('memory', { action: 'add', content: 'by hand' })
  await store.apply('memory', { action: 'add', content: 'said' }, { origin: 'user' })
  const before = await readDocument(storage, PROVENANCE_PATH)
  const bytesOf = (read: typeof before) => (read.ok ? new TextDecoder().decode(read.value?.bytes) : '')
  for (const entry of ['by hand', 'said']) {
    await store.pin('memory', entry)
    expect(bytesOf(await readDocument(storage, PROVENANCE_PATH))).not.toBe(bytesOf(before))
    await store.unpin('memory', entry)
    expect(bytesOf(await readDocument(storage, PROVENANCE_PATH))).toBe(bytesOf(before))
  }
})
