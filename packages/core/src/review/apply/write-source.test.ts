import { describe, expect, it } from 'vitest'
import { disposeGroup, disposeProposal } from '../../../test/support/dispose.ts'
import type { Verdict } from '../../gate/review-gate.ts'
import { createJournal } from '../../journal/journal.ts'
import { createPending } from '../../journal/pending.ts'
import type { MemoryOp, MemoryOpOutcome } from '../../memory/memory-op.ts'
import { MemoryStore } from '../../memory/memory-store.ts'
import type { MemoryProposal } from '../../proposal/review-proposal.ts'
import type { Origin } from '../../shared/origin.ts'
import { ok } from '../../shared/result.ts'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import type { DisposalOptions } from './disposal-options.ts'

const propose = (op: MemoryOp): MemoryProposal => ({ target: 'memory', op, rationale: '', score: 1 })
const add = (content: string): MemoryOp => ({ action: 'add', content })
const remove = (oldText: string): MemoryOp => ({ action: 'remove', oldText })
const replace = (oldText: string, content: string): MemoryOp => ({ action: 'replace', oldText, content })

type Given = {
  readonly entries?: Readonly<Record<string, Origin>>
  readonly limit?: number
  readonly origin?: Origin
} & Partial<DisposalOptions>

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
  const deps: DisposalOptions = { gate: async () => ok(verdict), store, journal, pending, ...more }
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
  it('are raised from outside by what the pass over the own words found to be the user’s, and by nothing else', async () => {
    const raised = async (origin: Origin, pass: DisposalOptions['pass'], content = 'Fedora: staging runs on it.') => {
      const { deps, store } = await home({ entries: { [NOTE]: 'tool' }, origin, pass })
      const waiting = createPending({ storage: inMemoryBackend(), clock: () => 1 })
      await waiting.hold({ proposals: [propose(add(NOTE))], reason: 'ask' })
      await disposeProposal(propose(add(content)), { ...deps, pending: waiting })
      const held = await waiting.list()
      return [store.origins('memory').get(NOTE), held.ok && held.value.length]
    }
    expect(await raised('user', 'own-words')).toEqual([undefined, 0])
    expect(await raised('user', 'own-words', NOTE)).toEqual(['user', 0])
    for (const content of [NOTE, 'Fedora: staging runs on it.']) {
      expect(await raised('assistant', 'own-words', content)).toEqual(['tool', 1])
      expect(await raised('tool', 'everything', content)).toEqual(['tool', 1])
    }
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
    expect(records).toMatchObject([{ kind: 'applied', sessionId: 's1', evicted: [{ text: 'A page says: blue.' }] }])
  })

  it('waits with the advice to shorten it if it is longer than the limit', async () => {
    const { result } = await write({ limit: 20 })
    expect(result).toMatchObject({ ok: true, value: { kind: 'held', reason: expect.stringContaining('longer than the whole limit') } })
  })
})

describe('a removal that finds nothing', () => {
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

describe('what the store is called with', () => {
  const called = async (given: Given, ...ops: readonly MemoryOp[]) => {
    const { deps, store } = await home(given)
    const calls: unknown[] = []
    const spying: DisposalOptions['store'] = {
      apply: (...args) => {
        calls.push(args.slice(1))
        return store.apply(...args)
      },
      current: (target) => store.current(target),
    }
    const [op = add(NOTE)] = ops
    if (ops.length > 1) await disposeGroup(ops.map(propose), { ...deps, store: spying })
    else await disposeProposal(propose(op), { ...deps, store: spying })
    expect(calls).toHaveLength(1)
    return calls[0]
  }

  it('is the origin and the reason of the verdict, and who writes', async () => {
    expect(await called({})).toStrictEqual([add(NOTE), { origin: 'user', reason: 'Said so.' }, { actor: 'review', sessionId: undefined }])
  })

  it('is also the session, what was in sight, and whether the pass raises what it repeats', async () => {
    const all: Given = { sessionId: 's1', actor: 'agent', pass: 'own-words', context: () => ({ sight: 'outside' }) }
    expect(await called(all)).toStrictEqual([
      add(NOTE),
      { origin: 'user', sight: 'outside', raises: true, sessionId: 's1', reason: 'Said so.' },
      { actor: 'agent', sessionId: 's1' },
    ])
    expect(await called({ pass: 'everything', context: () => ({ sight: 'own' }) })).toMatchObject([{}, { origin: 'user' }, {}])
  })

  it('is no source without an origin, and no reason if there is none', async () => {
    const answers = (verdict: Verdict): Given => ({ gate: async () => ok(verdict) })
    expect(await called(answers({ verdict: 'approve', reason: '' }))).toMatchObject([{}, undefined, {}])
    const source = { origin: 'tool' }
    expect(await called(answers({ verdict: 'approve', reason: '', origin: 'tool' }))).toStrictEqual([add(NOTE), source, expect.anything()])
  })

  it('is for a group the least trusted origin, and each reason once', async () => {
    const verdicts: Verdict[] = [
      { verdict: 'approve', reason: 'One.', origin: 'user' },
      { verdict: 'approve', reason: 'Two.', origin: 'tool' },
      { verdict: 'approve', reason: 'One.', origin: 'assistant' },
    ]
    const gate: DisposalOptions['gate'] = async () => ok(verdicts.shift() as Verdict)
    const ops = [add('a'), add('b'), add('c')]
    expect(await called({ gate }, ...ops)).toMatchObject([ops, { origin: 'tool', reason: 'One. Two.' }, {}])
  })
})

describe('what the journal keeps of a write', () => {
  it('is, for each operation, the origin and the times that the store gives, if it gives any', async () => {
    const { deps, records, store } = await home({ entries: { [NOTE]: 'tool', 'Builds: slow.': 'user' }, pass: 'own-words' })
    const raised = await disposeProposal(propose(replace('Builds', 'On Fedora runs staging.')), deps)
    const group = await disposeGroup([propose(add('a')), propose(add('b')), propose(remove('Fedora'))], deps)
    const factsOf = (result: typeof raised | typeof group) =>
      result.ok && result.value.kind === 'applied' ? (result.value.outcome as MemoryOpOutcome).facts : undefined
    const [first, settled, ...grouped] = (await records()).map(({ facts }) => facts)
    expect([[first], settled]).toEqual([factsOf(raised), undefined])
    expect(factsOf(raised)).toHaveLength(1)
    expect(grouped).toEqual(factsOf(group))
    const apply: DisposalOptions['store']['apply'] = async (...args) => {
      const applied = await store.apply(...args)
      if (!applied.ok) return applied
      const { facts: _, ...outcome } = applied.value
      return ok(outcome)
    }
    const without = await disposeProposal(propose(add('c')), { ...deps, store: { apply } })
    expect(without).toMatchObject({ ok: true, value: { kind: 'applied' } })
    expect(without.ok && without.value.kind === 'applied' && without.value.outcome).not.toHaveProperty('facts')
    expect((await records()).at(-1)).not.toHaveProperty('facts')
  })

  it('is the entry that each operation took, and none of those that gave way to the own words', async () => {
    const { deps, records, store } = await home({
      entries: { [NOTE]: 'tool', 'Builds: slow.': 'user' },
      pass: 'own-words',
    })
    const result = await disposeProposal(propose(replace('Builds', 'On Fedora runs staging.')), deps)
    expect(store.entries('memory')).toEqual(['On Fedora runs staging.'])
    expect(result).toMatchObject({ value: { kind: 'applied', outcome: { previous: ['Builds: slow.'] } } })
    expect(await records()).toMatchObject([
      { kind: 'applied', reason: 'Said so.', previous: ['Builds: slow.'] },
      { kind: 'settled', previous: [NOTE] },
    ])
  })

  it('are the entries of a group, each with its operation', async () => {
    const { deps, records } = await home({ entries: { [NOTE]: 'user', 'Builds: slow.': 'user' } })
    await disposeGroup([propose(remove('Builds')), propose(add('Likes tea.')), propose(replace('Fedora', 'Staging runs.'))], deps)
    expect((await records()).map(({ previous }) => previous)).toEqual([['Builds: slow.'], undefined, [NOTE]])
  })
})
