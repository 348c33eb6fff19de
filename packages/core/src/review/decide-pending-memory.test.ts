import { describe, expect, it } from 'vitest'
import { createJournal } from '../journal/journal.ts'
import { createPending } from '../journal/pending.ts'
import type { MemoryOp } from '../memory/memory-op.ts'
import { MemoryStore } from '../memory/memory-store.ts'
import type { MemoryProposal } from '../proposal/review-proposal.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { inTransaction } from '../storage/in-transaction.ts'
import { pendingDecisions } from './decide-pending.ts'

const NOW = 5_000
const LIMIT = 60

const add = (content: string): MemoryOp => ({ action: 'add', content })
const replace = (oldText: string, content: string): MemoryOp => ({ action: 'replace', oldText, content })
const remove = (oldText: string): MemoryOp => ({ action: 'remove', oldText })

/** A home that knows `old one` and `old two`, both said by the user, and holds one proposal of these operations. */
const held = async (...ops: readonly [MemoryOp, ...MemoryOp[]]) => {
  const storage = inMemoryBackend()
  const clock = () => NOW
  const createMemoryStore = (over = storage) => new MemoryStore({ storage: over, clock, memoryCharLimit: LIMIT, whenFull: 'evict' })
  for (const content of ['old one', 'old two']) await createMemoryStore().apply('memory', add(content), { origin: 'user' })
  let count = 0
  const journal = createJournal({ storage, clock, createId: () => `id${count++}` })
  const pending = createPending({ storage, clock })
  const [first, ...more] = ops.map(
    (op, index): MemoryProposal => ({
      target: 'memory',
      op,
      rationale: 'It was asked for.',
      score: 0.9,
      evidence: index === 0 ? [{ quote: 'as I said' }] : [],
    }),
  )
  if (!first) throw new Error('unreachable')
  const waiting = await pending.hold({ proposals: [first, ...more], reason: 'ask', sessionId: 'one' })
  if (!waiting.ok) throw waiting.error
  const decisions = pendingDecisions({
    pending,
    inOneUpdate: (work) =>
      inTransaction(storage, (over) =>
        work({
          pending: createPending({ storage: over, clock }),
          journal: createJournal({ storage: over, clock, createId: () => `id${count++}` }),
          createMemoryStore: () => createMemoryStore(over),
          skills: undefined,
        }),
      ),
  })
  const records = async () => {
    const list = await journal.list()
    return list.ok ? list.value.map(({ id, at, reason, ...record }) => record) : []
  }
  const known = async () => {
    const store = createMemoryStore()
    await store.load()
    return store.entries('memory')
  }
  const common = {
    sessionId: 'one',
    target: 'memory',
    rationale: 'It was asked for.',
    score: 0.9,
    evidence: [{ quote: 'as I said' }],
    pendingId: waiting.value.id,
    actor: 'host',
  }
  return { id: waiting.value.id, decisions, records, known, common, createMemoryStore }
}

const mine = { origin: 'user', firstSeenAt: NOW, lastConfirmedAt: NOW }

describe('a decision about held changes of memory', () => {
  it('is in the journal for each operation, with what was there before', async () => {
    const ops = [replace('one', 'new one'), add('three'), remove('two')] as const
    const { id, decisions, records, known, common } = await held(...ops)
    expect(await decisions.approve(id)).toMatchObject({ ok: true, value: { entryCount: 2 } })
    expect(await known()).toEqual(['new one', 'three'])
    const applied = { ...common, kind: 'applied', origin: 'user' }
    expect(await records()).toEqual([
      { ...applied, op: ops[0], previous: ['old one'], facts: { previous: mine, content: mine } },
      { ...applied, op: ops[1], facts: { content: mine } },
      { ...applied, op: ops[2], previous: ['old two'], facts: { previous: mine } },
    ])
  })

  it('names the entries that had to make room, once', async () => {
    const long = 'x'.repeat(LIMIT - 15)
    const { id, decisions, records, known } = await held(add(long))
    expect(await decisions.approve(id)).toMatchObject({ ok: true, value: { evicted: [{ text: 'old one' }] } })
    expect(await known()).toEqual(['old two', long])
    expect((await records()).map(({ evicted }) => evicted)).toEqual([[{ text: 'old one', origin: 'user' }]])
    const two = await held(add(long), add('z'))
    expect(await two.decisions.approve(two.id)).toMatchObject({ ok: true })
    expect((await two.records()).map(({ evicted }) => evicted?.length)).toEqual([1, undefined])
  })

  it('may clear the last entry, which a batch may not', async () => {
    const { id, decisions, known, createMemoryStore } = await held(remove('one'))
    await createMemoryStore().apply('memory', remove('two'))
    expect(await decisions.approve(id)).toMatchObject({ ok: true, value: { entryCount: 0 } })
    expect(await known()).toEqual([])
  })

  it('against them records what was proposed, and nothing as written', async () => {
    const op = replace('one', 'new one')
    const { id, decisions, records, known, common } = await held(op)
    const rejected = await decisions.reject(id)
    if (!rejected.ok) throw rejected.error
    expect(await decisions.putBack(rejected.value)).toEqual(rejected)
    expect(await records()).toEqual([
      { ...common, kind: 'rejected', op },
      { ...common, kind: 'held', op },
    ])
    expect(await known()).toEqual(['old one', 'old two'])
  })
})
