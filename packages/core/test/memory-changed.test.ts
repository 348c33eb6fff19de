/** Every write to memory through a Hermes causes a `memory-changed` event, whoever made it; a write that changes no entry causes none. */

import { describe, expect, it } from 'vitest'
import { createHermesHomes } from '../src/create-hermes-homes.ts'
import type { HermesOptions } from '../src/hermes-options.ts'
import type { MemoryTarget } from '../src/memory/memory-op.ts'
import type { HermesEvent } from '../src/session/hermes-event.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import { updateDocument } from '../src/storage/one-document.ts'
import { openHome, proposing, user } from './session/open-home.ts'
import { unwrap } from './support/skill-library.ts'

const setUp = (options: Partial<HermesOptions> = {}) => {
  const home = openHome(inMemoryBackend(), { nudge: { memoryInterval: 1, skillInterval: 0 }, ...options })
  const changes = () => changesIn(home.events)
  return { ...home, changes }
}

const changesIn = (events: readonly HermesEvent[]) => events.filter((event) => event.type === 'memory-changed')

const add = (content: string) => ({ action: 'add', content }) as const

const proposal = (target: MemoryTarget, content: string) => ({ target, op: add(content), rationale: '', score: 1 })

describe('memory-changed', () => {
  it('tells of what a review wrote', async () => {
    const { hermes, changes } = setUp()
    hermes.session('one').recordTurn({ messages: [user('I live in Oslo')], model: proposing('Lives in Oslo') })
    await hermes.settled()
    expect(changes()).toEqual([
      {
        type: 'memory-changed',
        at: expect.any(Number),
        sessionId: 'one',
        actor: 'review',
        target: 'user',
        added: ['Lives in Oslo'],
        removed: [],
        evicted: [],
      },
    ])
  })

  it("tells of the agent's own tool and of what the host submits, apart", async () => {
    const { hermes, changes } = setUp({ gate: async () => ({ ok: true, value: { approved: true, reason: '' } }) })
    const session = hermes.session('one')
    const tool = session.offerTools().find(({ name }) => name === 'memory')
    await tool?.execute({ action: 'add', target: 'memory', content: 'Builds with pnpm' }, { messages: [user('it builds with pnpm')] })
    await session.submit(proposal('user', 'Likes tea'), [user('I like tea')])
    expect(changes()).toMatchObject([
      { actor: 'agent', sessionId: 'one', target: 'memory', added: ['Builds with pnpm'] },
      { actor: 'host', sessionId: 'one', target: 'user', added: ['Likes tea'] },
    ])
  })

  it('tells of the store of a host with what left it, so that it can be restored', async () => {
    const { hermes, changes } = setUp({ actor: 'person' })
    const store = hermes.memoryStore()
    unwrap(await store.apply('memory', [add('Builds with pnpm 9'), add('Runs on Node 20')]))
    unwrap(
      await store.apply(
        'memory',
        { action: 'replace', oldText: 'pnpm 9', content: 'Builds with pnpm 12' },
        { origin: 'user', sessionId: 'x' },
      ),
    )
    unwrap(await store.apply('memory', { action: 'remove', oldText: 'Node 20' }))
    const [added, replaced, removed] = changes()
    expect(added).toMatchObject({ actor: 'person', added: ['Builds with pnpm 9', 'Runs on Node 20'], removed: [] })
    expect(added).not.toHaveProperty('sessionId')
    expect(replaced).toMatchObject({ sessionId: 'x', added: ['Builds with pnpm 12'], removed: [{ text: 'Builds with pnpm 9' }] })
    expect(removed).toMatchObject({ added: [], removed: [{ text: 'Runs on Node 20' }] })

    unwrap(await store.restore(removed?.removed[0]?.archivedId ?? ''))
    expect(changes().at(-1)).toMatchObject({ actor: 'person', added: ['Runs on Node 20'], removed: [] })
  })

  it('holds no secret that somebody wrote by hand', async () => {
    const storage = inMemoryBackend()
    const { hermes, events } = openHome(storage)
    const secret = `Deploys with ghp_${'a1B2'.repeat(9)}`
    unwrap(await updateDocument(storage, 'memories/MEMORY.md', () => new TextEncoder().encode(`${secret}\n§\nRuns on Node 20`)))
    unwrap(await hermes.memoryStore().apply('memory', { action: 'remove', oldText: 'ghp_' }))
    expect(changesIn(events)).toMatchObject([{ removed: [{ text: '[redacted: looks like a secret]' }] }])
    expect(JSON.stringify(events)).not.toContain('ghp_')
  })

  it('names whose home it happened in', async () => {
    const events: HermesEvent[] = []
    const homes = createHermesHomes({ storage: inMemoryBackend(), onEvent: (event) => events.push(event) })
    unwrap(await homes.for('ada').memoryStore().apply('user', add('Likes tea')))
    expect(changesIn(events)).toMatchObject([{ owner: { user: 'ada' }, added: ['Likes tea'] }])
  })
})
