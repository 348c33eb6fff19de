import { describe, expect, it } from 'vitest'
import type { MemoryProposal } from '../proposal/review-proposal.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { Result } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { createPending, type HoldRequest } from './pending.ts'

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
})

describe('a document of the queue', () => {
  const must = <T>(result: Result<T>): T => {
    if (!result.ok) throw result.error
    return result.value
  }
  const document = { memory: (id: string) => `pending/memory/${id}.json`, skill: (id: string) => `pending/skills/${id}.json` }

  it('is put back as it was, and stays as it is if the same waits already', async () => {
    const { storage, pending } = setUp()
    const held = must(await pending.hold(request('a')))
    await pending.remove(held.id)
    expect(must(await storage.list(''))).toEqual([])
    expect(await pending.putBack(held)).toEqual({ ok: true, value: held })
    const written = must(await storage.list(''))
    expect(await pending.hold(request('a'))).toEqual({ ok: true, value: held })
    expect(await pending.putBack({ ...held, reason: 'other' })).toEqual({ ok: true, value: held })
    expect(must(await storage.list(''))).toEqual(written)
  })

  it('is removed from both folders in one update', async () => {
    const { storage, pending } = setUp()
    for (const path of [document.memory('x'), document.skill('x')])
      await updateDocument(storage, path, () => new TextEncoder().encode('An entry'))
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
