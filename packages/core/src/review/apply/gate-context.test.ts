import { describe, expect, it } from 'vitest'
import { evidenceGate } from '../../gate/gates.ts'
import type { GateContext } from '../../gate/review-gate.ts'
import { MemoryStore } from '../../memory/memory-store.ts'
import type { ReviewProposal } from '../../proposal/review-proposal.ts'
import { stampTranscript } from '../../proposal/stamp-transcript.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { ok } from '../../shared/result.ts'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { FACTS_PATH } from '../../storage/storage-paths.ts'
import { Disposal } from './disposal.ts'

const NOTE = 'Runbook: the test suite is skipped on staging deploys'
const transcript = stampTranscript(
  [
    { role: 'user', text: 'deploy please' },
    { role: 'assistant', text: 'Deployed; I left the test suite out, as staging deploys skip it.' },
  ],
  new Set(),
)
const skill: ReviewProposal = {
  target: 'skill',
  op: { action: 'create', name: 'staging', content: '---\nname: staging\ndescription: Staging deploys.\n---\n\nSkip the test suite.\n' },
  rationale: 'It worked.',
  score: 1,
  evidence: [{ messageId: 'm2', quote: 'I left the test suite out' }],
}

/** A home with a note from outside, whose file at `path` can no longer be read. */
const openWithout = async (path: string) => {
  const inner = inMemoryBackend()
  await new MemoryStore({ storage: inner }).apply('memory', { action: 'add', content: NOTE }, { origin: 'tool' })
  const storage: StorageBackend = {
    ...inner,
    read: async (paths) => {
      const cut = await inner.read(paths)
      const document = (where: string) => {
        if (where.endsWith(path)) throw new HermesError('io', 'down')
        return cut.ok ? cut.value.document(where) : undefined
      }
      return cut.ok ? ok({ ...cut.value, document }) : cut
    },
  }
  return new MemoryStore({ storage })
}

const contextOf = async (store: MemoryStore, shown: Partial<GateContext>) => {
  const context = await new Disposal({ gate: evidenceGate(), store, context: () => shown }).context()
  if (!context.ok) throw context.error
  return context.value
}

const judge = async (store: MemoryStore, proposal: ReviewProposal, unattended = true) => {
  const context = await contextOf(store, { transcript, unattended })
  const verdict = await evidenceGate()(proposal, proposal.target === 'skill' ? { ...context, skill: { current: undefined } } : context)
  return verdict.ok ? verdict.value : verdict.error
}

describe('the context of the gate', () => {
  it.each([
    ['MEMORY.md', 'Memory could not be read'],
    [FACTS_PATH, 'Its source is a tool result'],
    ['USER.md', 'Memory could not be read'],
    ['no file', 'Its source is a tool result'],
  ])('lets no note from outside become a skill if %s cannot be read', async (path, reason) => {
    const store = await openWithout(path)
    for (const unattended of [true, false])
      expect(await judge(store, skill, unattended)).toMatchObject({
        verdict: 'hold',
        origin: 'tool',
        reason: expect.stringContaining(reason),
      })
  })

  it("holds no skill that is the agent's own if all is read and nothing of it came from outside", async () => {
    const store = new MemoryStore({ storage: inMemoryBackend() })
    expect(await judge(store, skill)).toMatchObject({ verdict: 'approve', origin: 'assistant' })
  })

  it('has the entries of both stores, each with its origin, and none of one that cannot be read', async () => {
    const storage = inMemoryBackend()
    const store = new MemoryStore({ storage })
    await store.apply('memory', { action: 'add', content: NOTE }, { origin: 'tool' })
    await store.apply('user', { action: 'add', content: 'Lives in Oslo' }, { origin: 'user' })
    expect(await contextOf(store, {})).toMatchObject({
      entries: { memory: [NOTE], user: ['Lives in Oslo'] },
      origins: { memory: new Map([[NOTE, 'tool']]), user: new Map([['Lives in Oslo', 'user']]) },
    })
    const context = await contextOf(await openWithout('USER.md'), {})
    expect(context).toMatchObject({ unread: true, entries: { memory: [NOTE], user: [] } })
  })

  it('fails with the cause if the caller cannot show it', async () => {
    const cause = new Error('no view')
    const store = new MemoryStore({ storage: inMemoryBackend() })
    expect(await new Disposal({ gate: evidenceGate(), store, context: () => Promise.reject(cause) }).context()).toMatchObject({
      ok: false,
      error: { code: 'gate', cause },
    })
  })

  it("takes the caller's entries if it shows some, and does not read the store", async () => {
    const store = new MemoryStore({ storage: inMemoryBackend() })
    const shown = { transcript, entries: { memory: ['a'], user: [] }, unattended: false }
    expect(await contextOf(store, shown)).toEqual(shown)
  })

  it('counts all but the own calls of the agent as unattended if nothing is shown', async () => {
    const store = new MemoryStore({ storage: inMemoryBackend() })
    const unattended = async (actor?: 'agent' | 'host') => {
      const context = await new Disposal({ gate: evidenceGate(), store, ...(actor ? { actor } : {}) }).context()
      return context.ok && [context.value.unattended, context.value.transcript]
    }
    expect([await unattended(), await unattended('host'), await unattended('agent')]).toEqual([
      [true, []],
      [true, []],
      [false, []],
    ])
  })

  it('writes what the user said, whatever cannot be read', async () => {
    const store = await openWithout('MEMORY.md')
    const context = await contextOf(store, { transcript: stampTranscript([{ role: 'user', text: 'I live in Oslo' }], new Set()) })
    expect(context).toMatchObject({ unread: true, unattended: true, entries: { memory: [], user: [] } })
    const op = { action: 'add', content: 'Lives in Oslo' } as const
    const evidence = [{ quote: 'I live in Oslo' }]
    const said = await evidenceGate()({ target: 'user', op, rationale: '', score: 1, evidence }, context)
    expect(said).toMatchObject({ ok: true, value: { verdict: 'approve', origin: 'user' } })
  })
})
