import { describe, expect, it } from 'vitest'
import { disposeProposal } from '../../test/support/dispose.ts'
import { treeOf } from '../../test/support/skill-library.ts'
import { createJournal, type JournalRecordInput } from '../journal/journal.ts'
import { createPending } from '../journal/pending.ts'
import type { MemoryOp } from '../memory/memory-op.ts'
import { MemoryStore } from '../memory/memory-store.ts'
import type { MemoryProposal } from '../proposal/review-proposal.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import type { SkillOp } from '../skills/skill-op.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { inTransaction } from '../storage/in-transaction.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { UsageStore } from '../usage/usage-store.ts'
import { type DecisionStores, pendingDecisions } from './decide-pending.ts'

const text = (name: string, body: string) => `---\nname: ${name}\ndescription: About ${name}.\n---\n\n${body}\n`

/** A skill `deploy` and one pending change of it. */
const heldChange = async (op: SkillOp, model?: string) => {
  const storage = inMemoryBackend()
  const clock = () => 5_000
  const store = new SkillStore({ storage, clock })
  const usage = new UsageStore({ storage, clock })
  await store.create({ name: 'deploy', content: text('deploy', '1. Build.') })
  await usage.record('deploy', 'create')
  let count = 0
  const journal = createJournal({ storage, clock, createId: () => `id${count++}` })
  const pending = createPending({ storage, clock })
  const skills = { store, usage, storage, clock }
  const createMemoryStore = () => new MemoryStore({ storage, clock })
  const disposed = await disposeProposal(
    { target: 'skill', op, rationale: 'why', score: 1 },
    {
      gate: async () => ok({ approved: false, held: true, reason: 'ask', origin: 'tool' }),
      store: createMemoryStore(),
      journal,
      pending,
      skills,
      actor: 'agent',
      model: () => model,
    },
  )
  const id = disposed.ok && disposed.value.kind === 'held' ? (disposed.value.pendingId ?? '') : ''
  const storesOver = (over: StorageBackend): DecisionStores => ({
    pending: createPending({ storage: over, clock }),
    journal: createJournal({ storage: over, clock, createId: () => `id${count++}` }),
    createMemoryStore: () => new MemoryStore({ storage: over, clock }),
    skills: { store: new SkillStore({ storage: over, clock }), usage: new UsageStore({ storage: over, clock }), storage: over, clock },
  })
  const decide = (change: Partial<DecisionStores> = {}) =>
    pendingDecisions({
      pending,
      inOneUpdate: (work) => inTransaction(storage, (over) => work({ ...storesOver(over), ...change })),
    })
  const decisions = decide()
  const contentOf = async (name: string) => {
    const viewed = await store.view(name)
    return viewed.ok ? viewed.value.content : undefined
  }
  const lastRecord = async () => {
    const list = await journal.list()
    return list.ok ? list.value.at(-1) : undefined
  }
  return { id, decisions, decide, store, usage, skills, contentOf, lastRecord, pending, storage }
}

const patch: SkillOp = { action: 'patch', name: 'deploy', oldText: 'Build', newText: 'Compile' }
const edit: SkillOp = { action: 'edit', name: 'deploy', content: text('deploy', '1. Ship.') }

describe('approving a held change of a skill', () => {
  it("writes it on the person's word, counts it and journals it with what was there before", async () => {
    const { id, decisions, usage, contentOf, lastRecord } = await heldChange(patch)
    const before = await contentOf('deploy')
    expect(await decisions.approve(id)).toMatchObject({ ok: true, value: { target: 'skill', action: 'patch', name: 'deploy' } })
    expect(await contentOf('deploy')).toContain('1. Compile.')
    expect(await usage.get('deploy')).toMatchObject({ patchCount: 1 })
    expect(await lastRecord()).toMatchObject({
      actor: 'host',
      kind: 'applied',
      target: 'skill',
      origin: 'user',
      pendingId: id,
      previous: [before],
    })
    expect(await decisions.list()).toEqual(ok([]))
  })

  it('creates the skill as one of the agent', async () => {
    const { id, decisions, usage, lastRecord } = await heldChange({
      action: 'create',
      name: 'release',
      content: text('release', '1. Tag.'),
    })
    expect(await decisions.approve(id)).toMatchObject({ ok: true, value: { action: 'create', name: 'release' } })
    expect(await usage.get('release')).toMatchObject({ createdBy: 'agent' })
    expect(await lastRecord()).toMatchObject({ actor: 'host', kind: 'applied' })
    expect(await lastRecord()).not.toHaveProperty('previous')
  })

  it.each(['small-model', undefined])('names the model that proposed it: %s', async (model) => {
    const { id, decisions, lastRecord } = await heldChange(patch, model)
    expect(await decisions.approve(id)).toMatchObject({ ok: true })
    expect((await lastRecord())?.model).toBe(model)
  })

  it('does not write a whole text over one that it was not approved for', async () => {
    const { id, decisions, store, contentOf } = await heldChange(edit)
    await store.patch('deploy', { oldText: '1. Build.', newText: '1. Build twice.' })
    expect(await decisions.approve(id)).toMatchObject({ ok: false, error: { code: 'drift' } })
    expect(await contentOf('deploy')).toContain('1. Build twice.')
    expect(await decisions.list()).toMatchObject({ ok: true, value: [{ id }] })
  })

  it('patches a file that has changed in another place', async () => {
    const { id, decisions, store, contentOf } = await heldChange(patch)
    await store.patch('deploy', { oldText: 'About deploy.', newText: 'How to deploy.' })
    expect(await decisions.approve(id)).toMatchObject({ ok: true })
    expect(await contentOf('deploy')).toMatch(/How to deploy\.[\s\S]*1\. Compile\./)
  })

  it.each([patch, edit])("changes a pinned skill, since it is a person's word: $action", async (op) => {
    const { id, decisions, usage, contentOf } = await heldChange(op)
    await usage.pin('deploy')
    expect(await decisions.approve(id)).toMatchObject({ ok: true })
    expect(await contentOf('deploy')).not.toContain('1. Build.')
    expect(await usage.get('deploy')).toMatchObject({ pinned: true })
  })

  it('never archives what is pinned, until it is unpinned', async () => {
    const { id, decisions, usage, contentOf } = await heldChange({ action: 'archive', name: 'deploy' })
    await usage.pin('deploy')
    expect(await decisions.approve(id)).toMatchObject({ ok: false, error: { code: 'rejected' } })
    expect(await contentOf('deploy')).toBeDefined()
    await usage.unpin('deploy')
    expect(await decisions.approve(id)).toMatchObject({ ok: true, value: { action: 'archive' } })
    expect(await usage.get('deploy')).toMatchObject({ state: 'archived' })
  })

  it('continues waiting if skills are switched off', async () => {
    const { id, decide } = await heldChange(patch)
    const without = decide({ skills: undefined })
    expect(await without.approve(id)).toMatchObject({ ok: false, error: { code: 'disabled' } })
    expect(await without.list()).toMatchObject({ ok: true, value: [{ id }] })
  })

  it('is dropped by a no, which the journal keeps', async () => {
    const { id, decisions, contentOf, lastRecord } = await heldChange(patch)
    expect(await decisions.reject(id)).toMatchObject({ ok: true, value: { id, target: 'skill' } })
    expect(await contentOf('deploy')).toContain('1. Build.')
    expect(await lastRecord()).toMatchObject({ actor: 'host', kind: 'rejected', target: 'skill' })
    expect(await decisions.list()).toEqual(ok([]))
  })

  it('waits again as before when a no is taken back, and the journal says so', async () => {
    const { id, decisions, lastRecord } = await heldChange(patch)
    const waiting = await decisions.list()
    const rejected = await decisions.reject(id)
    if (!rejected.ok) throw rejected.error
    expect(await decisions.putBack(rejected.value)).toEqual(rejected)
    expect(await decisions.list()).toEqual(waiting)
    expect(await lastRecord()).toMatchObject({ actor: 'host', kind: 'held', pendingId: id })
    expect(await decisions.approve(id)).toMatchObject({ ok: true })
  })

  it.each([{ id: '../../x' }, { ops: [] }, { target: 'else' }])('puts back nothing that did not wait: %o', async (wrong) => {
    const { id, decisions } = await heldChange(patch)
    const rejected = await decisions.reject(id)
    const forged = { ...(rejected.ok ? rejected.value : {}), ...wrong } as never
    expect(await decisions.putBack(forged)).toMatchObject({ ok: false, error: { code: 'invalid' } })
    expect(await decisions.list()).toEqual(ok([]))
  })
})

describe('approving a held merge of skills', () => {
  const archive = { op: { action: 'archive', name: 'old' } as const, reason: 'merged' }

  const decideMerge = async (merged: unknown) => {
    const home = await heldChange(patch)
    const listed = await home.pending.list()
    const held = { ...(listed.ok && listed.value[0]), project: 'webshop', merge: { into: 'deploy' } } as never
    const written: JournalRecordInput[] = []
    const stores = {
      pending: { get: async () => ok(held), remove: async () => ok(undefined) },
      journal: { append: async (records: readonly JournalRecordInput[]) => ok(void written.push(...records)) },
      createMemoryStore: () => ({}),
      skills: home.skills,
    } as unknown as DecisionStores
    const seen: unknown[] = []
    const decisions = pendingDecisions({
      pending: home.pending,
      inOneUpdate: (work) => work(stores),
      approveMerge: async (each, over) => {
        seen.push(each, over)
        return merged as never
      },
    })
    return { decided: await decisions.approve('id'), written, seen, held, storage: home.storage }
  }

  it('is carried out by the library over the storage of the decision, and recorded with what it archived', async () => {
    const outcome = { target: 'skill', action: 'patch', name: 'deploy', previous: 'before' }
    const { decided, written, seen, held, storage } = await decideMerge(ok({ outcome, archived: [archive], files: ['a.md'] }))
    expect(decided).toEqual(ok(outcome))
    expect(seen).toEqual([held, storage])
    const shared = { actor: 'host', kind: 'applied', target: 'skill', project: 'webshop', partial: true }
    expect(written).toMatchObject([
      { ...shared, op: patch, previous: ['before'], files: ['a.md'], reason: 'A person approved it.' },
      { ...shared, ...archive },
    ])
  })

  it('waits on if that fails', async () => {
    const failed = err(new HermesError('drift', 'changed'))
    const { decided, written } = await decideMerge(failed)
    expect([decided, written]).toEqual([failed, []])
  })
})

describe('a new skill with files that fails halfway', () => {
  it('is not written at all, and still waits', async () => {
    const { pending, decisions, storage } = await heldChange({ action: 'archive', name: 'deploy' })
    const op = { action: 'create', name: 'tidy', content: text('tidy', 'Tidy up.') } as const
    const files = [
      { path: 'references/a', text: 'a' },
      { path: 'references/a/b', text: 'b' },
    ]
    const held = await pending.hold({ proposals: [{ target: 'skill', op, rationale: '', score: 1 }], base: null, files, reason: 'ask' })
    const id = held.ok ? held.value.id : ''
    const before = await treeOf(storage)
    expect(await decisions.approve(id)).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(await treeOf(storage)).toEqual(before)
    expect(await decisions.list()).toMatchObject({ value: expect.arrayContaining([expect.objectContaining({ id })]) })
  })
})

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

  it('may clear the last entry, which a batch may not', async () => {
    const { id, decisions, known, createMemoryStore } = await held(remove('one'))
    await createMemoryStore().apply('memory', remove('two'))
    expect(await decisions.approve(id)).toMatchObject({ ok: true, value: { entryCount: 0 } })
    expect(await known()).toEqual([])
  })

  it('is refused for what does not fit, which waits on, and for what does not wait', async () => {
    const { id, decisions, records, createMemoryStore } = await held(add('x'.repeat(LIMIT - 10)))
    await createMemoryStore().apply('memory', add('by hand '.repeat(2)), { origin: 'external' })
    expect(await decisions.approve(id)).toMatchObject({ ok: false, error: { code: 'over_limit' } })
    expect(await decisions.list()).toMatchObject({ ok: true, value: [{ id }] })
    expect(await decisions.approve('0000')).toMatchObject({ ok: false, error: { code: 'not_found' } })
    expect(await decisions.reject('../../sessions/one')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    expect(await records()).toEqual([])
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
