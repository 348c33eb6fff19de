import { describe, expect, it } from 'vitest'
import type { MemoryProposal } from '../proposal/review-proposal.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { createPending, type HoldRequest, pendingPath, pendingPaths, planHold, planPutBack, planRemove, toPending } from './pending.ts'

const setUp = () => {
  const storage = inMemoryBackend()
  const time = { now: 1_000 }
  const problems: HermesError[] = []
  return {
    storage,
    time,
    problems,
    pending: createPending({ storage, clock: () => time.now++, onProblem: (problem) => problems.push(problem) }),
  }
}

const proposal = (content: string, more: Partial<MemoryProposal> = {}): MemoryProposal => ({
  target: 'memory',
  op: { action: 'add', content },
  rationale: 'useful',
  score: 0.8,
  evidence: [{ messageId: 'm1', quote: content }],
  ...more,
})

const request = (content: string, more: Partial<MemoryProposal> = {}): HoldRequest => ({
  proposals: [proposal(content, more)],
  reason: 'wait',
  origin: 'tool',
  sessionId: 's1',
})

describe('createPending', () => {
  it('keeps what was proposed, why it waits, whose words it is, and when', async () => {
    const { pending } = setUp()
    const held = await pending.hold(request('a'))
    expect(held).toMatchObject({
      ok: true,
      value: {
        at: 1_000,
        target: 'memory',
        ops: [{ action: 'add', content: 'a' }],
        reason: 'wait',
        origin: 'tool',
        sessionId: 's1',
        score: 0.8,
      },
    })
    expect(await pending.list()).toEqual({ ok: true, value: held.ok ? [held.value] : [] })
  })

  it('does not pile up the same proposal, and tells another target or text apart', async () => {
    const { pending } = setUp()
    const first = await pending.hold(request('a'))
    expect(await pending.hold(request('a', { score: 0.9 }))).toEqual(first)
    await pending.hold(request('a', { target: 'user' }))
    await pending.hold(request('b'))
    const list = await pending.list()
    expect(list.ok && list.value.map(({ at }) => at)).toEqual([1_000, 1_002, 1_003])
  })

  it('keeps a group together', async () => {
    const { pending } = setUp()
    const held = await pending.hold({ proposals: [proposal('a'), proposal('b')], reason: 'wait' })
    expect(held.ok && held.value.ops).toEqual([
      { action: 'add', content: 'a' },
      { action: 'add', content: 'b' },
    ])
  })

  it('finds one by its id and removes it when it is decided', async () => {
    const { pending } = setUp()
    const held = await pending.hold(request('a'))
    const id = held.ok ? held.value.id : ''
    expect(id).toMatch(/^[0-9a-f]{24}$/)
    expect(await pending.get(id)).toEqual(held)
    expect(await pending.remove(id)).toEqual({ ok: true, value: undefined })
    expect(await pending.get(id)).toEqual({ ok: true, value: undefined })
    expect(await pending.list()).toEqual({ ok: true, value: [] })
  })

  it('leaves a document it cannot read where it is, and lists the others', async () => {
    const { storage, pending, problems } = setUp()
    await updateDocument(storage, 'pending/memory/broken.json', () => new TextEncoder().encode('{'))
    await pending.hold(request('a'))
    const list = await pending.list()
    expect(list.ok && list.value).toHaveLength(1)
    expect(problems.map(({ code }) => code)).toEqual(['unreadable'])
    expect((await readDocument(storage, 'pending/memory/broken.json')).ok).toBe(true)
  })
})

describe('a held change of a skill', () => {
  const skillRequest = (newText: string, base: string | null = 'v1') => ({
    proposals: [
      { target: 'skill', op: { action: 'patch', name: 'deploy', oldText: 'old', newText }, rationale: 'better', score: 0.8 },
    ] as const,
    base,
    reason: 'wait',
  })

  it('waits beside memory, in order of time, with the version of its file', async () => {
    const { pending, storage } = setUp()
    await pending.hold(request('a'))
    const held = await pending.hold(skillRequest('new'))
    expect(held).toMatchObject({ ok: true, value: { target: 'skill', base: 'v1', ops: [{ action: 'patch', newText: 'new' }] } })
    const list = await pending.list()
    expect(list.ok && list.value.map(({ target }) => target)).toEqual(['memory', 'skill'])
    const documents = await storage.list('pending/skills')
    expect(documents.ok && documents.value.length).toBe(1)
  })

  it('is found, and removed, by its id', async () => {
    const { pending } = setUp()
    const held = await pending.hold(skillRequest('new', null))
    const id = held.ok ? held.value.id : ''
    expect(await pending.get(id)).toMatchObject({ ok: true, value: { target: 'skill', base: null } })
    await pending.remove(id)
    expect(await pending.get(id)).toEqual({ ok: true, value: undefined })
  })

  it('that comes again is the same entry as in the current file', async () => {
    const { pending } = setUp()
    const first = await pending.hold(skillRequest('new'))
    const again = await pending.hold(skillRequest('new', 'v2'))
    expect(again).toEqual({ ok: true, value: first.ok ? { ...first.value, base: 'v2' } : undefined })
    expect(await pending.list()).toMatchObject({ ok: true, value: [{ base: 'v2' }] })
  })

  it('keeps its texts unchanged, because they are written as they are', async () => {
    const { pending } = setUp()
    const newText = 'export API_KEY="abcdefghijklmnop1234567890"'
    await pending.hold(skillRequest(newText))
    expect(await pending.list()).toMatchObject({ ok: true, value: [{ ops: [{ newText }] }] })
  })

  it('leaves memory entries of before readable', async () => {
    const { pending, storage } = setUp()
    const stored =
      '{"id":"x","at":1,"target":"user","ops":[{"action":"add","content":"a"}],"reason":"r","rationale":"","score":1,"evidence":[]}'
    await updateDocument(storage, 'pending/memory/x.json', () => new TextEncoder().encode(stored))
    expect(await pending.get('x')).toMatchObject({ ok: true, value: { target: 'user', ops: [{ content: 'a' }] } })
  })
})

describe('the plans of held proposals', () => {
  const textOf = new TextEncoder().encode('An entry')

  it('are part of the update of a verb', async () => {
    const { storage, pending } = setUp()
    const held = await toPending(request('a'), () => 7)
    const path = pendingPath(held)
    const kept = await storage.update([path, 'notes.md'], (cut) => {
      const { put, value } = planHold(cut, held)
      return { put: { ...put, 'notes.md': textOf }, value }
    })
    expect(kept).toEqual({ ok: true, value: held })
    expect(await pending.list()).toEqual({ ok: true, value: [held] })
    await storage.update([...pendingPaths(held.id), 'notes.md'], () => ({ put: { ...planRemove(held.id), 'notes.md': null }, value: 0 }))
    expect(await storage.list('')).toEqual({ ok: true, value: [] })
    const back = await storage.update([path], (cut) => planPutBack(cut, held))
    expect(back).toEqual({ ok: true, value: held })
  })

  it('write nothing if the same proposal waits already', async () => {
    const { storage, pending } = setUp()
    await pending.hold(request('a'))
    const again = await toPending(request('a'), () => 7)
    const plan = await storage.update([pendingPath(again)], (cut) => ({ value: planHold(cut, again) }))
    expect(plan).toMatchObject({ ok: true, value: { put: {}, value: { at: 1_000 } } })
  })

  it('leave a document that cannot be read as it is', async () => {
    const { storage, pending } = setUp()
    const held = await toPending(request('a'), () => 7)
    await updateDocument(storage, pendingPath(held), () => new TextEncoder().encode('{'))
    expect(await pending.hold(request('a'))).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    expect(await pending.putBack(held)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    expect(await pending.get(held.id)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    const document = await readDocument(storage, pendingPath(held))
    expect(document.ok && document.value?.bytes).toEqual(new TextEncoder().encode('{'))
  })

  it('removes a proposal from both folders at once', async () => {
    const { storage, pending } = setUp()
    const ids = { memory: 'pending/memory/x.json', skills: 'pending/skills/x.json' }
    for (const path of Object.values(ids)) await updateDocument(storage, path, () => textOf)
    let updates = 0
    const update: StorageBackend['update'] = (...args) => {
      updates++
      return storage.update(...args)
    }
    await createPending({ storage: { ...storage, update }, clock: () => 0 }).remove('x')
    expect([updates, await storage.list('')]).toEqual([1, { ok: true, value: [] }])
    expect(await pending.remove('../x')).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
  })
})
