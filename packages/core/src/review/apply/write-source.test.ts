import { describe, expect, it } from 'vitest'
import type { Verdict } from '../../gate/review-gate.ts'
import { createJournal } from '../../journal/journal.ts'
import { createPending } from '../../journal/pending.ts'
import type { MemoryOp } from '../../memory/memory-op.ts'
import { MemoryStore } from '../../memory/memory-store.ts'
import type { MemoryProposal } from '../../proposal/review-proposal.ts'
import type { Origin } from '../../shared/origin.ts'
import { ok } from '../../shared/result.ts'
import { inMemoryBackend } from '../../storage/backends/in-memory.ts'
import type { DisposeDeps } from './dispose-deps.ts'
import { disposeGroup, disposeProposal } from './dispose-proposal.ts'

const propose = (op: MemoryOp): MemoryProposal => ({ target: 'memory', op, rationale: '', score: 1 })
const add = (content: string): MemoryOp => ({ action: 'add', content })
const remove = (oldText: string): MemoryOp => ({ action: 'remove', oldText })
const replace = (oldText: string, content: string): MemoryOp => ({ action: 'replace', oldText, content })

type Given = {
  readonly entries?: Readonly<Record<string, Origin>>
  readonly limit?: number
  readonly origin?: Origin
} & Partial<DisposeDeps>

/** A home whose gate approves everything, with the given origin. */
const home = async ({ entries = {}, limit = 1_000, origin = 'user', ...more }: Given = {}) => {
  const storage = inMemoryBackend()
  const time = { now: 1_000 }
  const clock = () => time.now
  const store = new MemoryStore({ storage, clock, memoryCharLimit: limit, whenFull: 'evict' })
  await store.load()
  for (const [content, whose] of Object.entries(entries)) {
    time.now += 1
    await store.apply('memory', add(content), { origin: whose })
  }
  await store.load()
  let count = 0
  const journal = createJournal({ storage, clock, createId: () => `id${count++}` })
  const pending = createPending({ storage, clock })
  const verdict: Verdict = { verdict: 'approve', reason: 'Said so.', origin }
  const deps: DisposeDeps = { gate: async () => ok(verdict), store, journal, pending, ...more }
  const records = async () => {
    const list = await journal.list()
    return list.ok ? list.value : []
  }
  const archived = async () => {
    const list = await store.archived('memory')
    return list.ok ? list.value : []
  }
  return { deps, store, records, archived }
}

const NOTE = 'Staging runs on Fedora.'

describe('whose words an entry counts as', () => {
  it('are raised from outside by the pass over the own words alone', async () => {
    const raised = async (pass: DisposeDeps['pass']) => {
      const { deps, store } = await home({ entries: { [NOTE]: 'tool' }, origin: 'assistant', pass })
      await disposeProposal(propose(add(NOTE)), deps)
      return store.origins('memory').get(NOTE)
    }
    expect([await raised('own-words'), await raised('everything'), await raised(undefined)]).toEqual(['assistant', 'tool', 'tool'])
  })
})

describe('an approved write to a full store', () => {
  const entries = { 'The user likes tea.': 'user', 'A page says: blue.': 'tool' } as const
  const write = async (more: Given) => {
    const { deps, store, archived, records } = await home({ entries, limit: 55, ...more })
    const result = await disposeProposal(propose(add('Builds take a whole minute.')), deps)
    return { result, left: store.entries('memory'), archived: await archived(), records: await records() }
  }

  it('takes the place of an entry from outside, and archives it with the reason and the session', async () => {
    const { left, archived, records } = await write({ sessionId: 's1', context: () => ({ sight: 'outside' }) })
    expect(left).toEqual(['The user likes tea.', 'Builds take a whole minute.'])
    expect(archived).toMatchObject([{ text: 'A page says: blue.' }])
    expect(records).toMatchObject([{ verdict: 'applied', sessionId: 's1', evicted: [{ text: 'A page says: blue.' }] }])
  })

  it('takes no place of the user with text from outside in sight: it waits', async () => {
    const own = { 'The user likes tea.': 'assistant', 'The user has two cats.': 'assistant' } as const
    const sighted = await write({ entries: own, context: () => ({ sight: 'outside' }) })
    expect(sighted.result).toMatchObject({ ok: true, value: { kind: 'rejected', held: true, reason: expect.stringContaining('is full') } })
    expect(sighted.left).toEqual(Object.keys(own))
    expect((await write({ entries: own, context: () => ({ sight: 'own' }) })).left).toEqual([
      'The user has two cats.',
      'Builds take a whole minute.',
    ])
  })

  it('waits with the advice to shorten it if it is longer than the limit', async () => {
    const { result } = await write({ limit: 20 })
    expect(result).toMatchObject({ ok: true, value: { held: true, reason: expect.stringContaining('longer than the whole limit') } })
  })
})

describe('a removal that finds nothing', () => {
  const gone = {
    ok: true,
    value: { kind: 'failed', error: { code: 'not_found', message: expect.stringContaining('archived to make room') } },
  }

  it('fails before the gate if a review proposes it alone', async () => {
    let asked = 0
    const gate: DisposeDeps['gate'] = async () => {
      asked++
      return ok({ verdict: 'approve', reason: '' })
    }
    const { deps } = await home({ entries: { [NOTE]: 'user' }, gate })
    expect(await disposeProposal(propose(remove('Debian')), deps)).toMatchObject(gone)
    expect(asked).toBe(0)
    expect(await disposeProposal(propose(remove(' Fedora ')), deps)).toMatchObject({ ok: true, value: { kind: 'applied' } })
    await disposeProposal(propose(remove('Debian')), { ...deps, actor: 'agent' })
    await disposeGroup([propose(add('x')), propose(remove('Debian'))], deps)
    expect(asked).toBe(4)
  })

  it('is left to the store if the entries cannot be read', async () => {
    const { deps, store } = await home({ entries: { [NOTE]: 'user' } })
    const apply = store.apply.bind(store)
    expect(await disposeProposal(propose(remove('Fedora')), { ...deps, store: { apply } })).toMatchObject({ value: { kind: 'applied' } })
    const current = async () => ({ ok: false, error: new Error('disk') }) as never
    expect(await disposeProposal(propose(remove('Debian')), { ...deps, store: { apply, current } })).toMatchObject({
      value: { kind: 'failed', error: { message: expect.not.stringContaining('archived to make room') } },
    })
  })
})

describe('what the journal keeps of a write', () => {
  it('is the entry that each operation took, and none of those that gave way to the own words', async () => {
    const { deps, records, store } = await home({
      entries: { [NOTE]: 'tool', 'Builds: slow.': 'user' },
      pass: 'own-words',
    })
    const result = await disposeProposal(propose(replace('Builds', 'On Fedora runs staging.')), deps)
    expect(store.entries('memory')).toEqual(['On Fedora runs staging.'])
    expect(result).toMatchObject({ value: { kind: 'applied', outcome: { previous: ['Builds: slow.'] } } })
    expect(await records()).toMatchObject([
      { verdict: 'applied', reason: 'Said so.', previous: ['Builds: slow.'] },
      { verdict: 'settled', previous: [NOTE] },
    ])
  })

  it('are the entries of a group, each with its operation', async () => {
    const { deps, records } = await home({ entries: { [NOTE]: 'user', 'Builds: slow.': 'user' } })
    await disposeGroup([propose(remove('Builds')), propose(add('Likes tea.')), propose(replace('Fedora', 'Staging runs.'))], deps)
    expect((await records()).map(({ previous }) => previous)).toEqual([['Builds: slow.'], undefined, [NOTE]])
  })
})
