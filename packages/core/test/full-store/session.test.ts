/** The whole loop with a full memory: nothing that the gate approved is lost, and a person can see what was evicted. */

import { describe, expect, it } from 'vitest'
import { IS_LONG_RUN } from '../../../../scripts/support/rounds.ts'
import type { HermesOptions } from '../../src/hermes-options.ts'
import type { MemoryTarget } from '../../src/memory/memory-op.ts'
import { MemoryStore } from '../../src/memory/memory-store.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { openHome, user } from '../session/open-home.ts'
import { unwrap } from '../support/skill-library.ts'

const fact = (index: number) => `Machine number ${index} of the lab runs the nightly build of team ${index}`

const openLab = (options: Partial<HermesOptions> = {}, storage: StorageBackend = inMemoryBackend()) => {
  const { hermes, events } = openHome(storage, options)
  const call = async (content: string, id = 'one', messages: readonly TurnMessage[] = [user(content)]) => {
    const tool = hermes
      .session(id)
      .offerTools()
      .find(({ name }) => name === 'memory')
    return tool?.execute({ action: 'add', target: 'memory', content }, { messages })
  }
  const kept = async (target: MemoryTarget = 'memory') => {
    const store = new MemoryStore({ storage })
    const standing = unwrap(await store.current(target))
    return { standing, archived: unwrap(await store.archived(target)), waiting: unwrap(await hermes.pending.list()) }
  }
  return { hermes, events, call, kept, storage }
}

const page = (text: string): readonly TurnMessage[] => [
  user('summarise this page'),
  { role: 'assistant', text: '', toolNames: ['fetch'] },
  { role: 'tool', text, toolNames: ['fetch'] },
]

/** More than fit, with the default limits. */
const MANY = IS_LONG_RUN ? 100 : 40

describe(`${MANY} facts and the default limits`, () => {
  it('are all written at trust balanced, and none is lost or waits', async () => {
    const { call, kept } = openLab()
    for (let index = 1; index <= MANY; index++) expect(await call(fact(index), `session ${index}`)).toMatchObject({ success: true })
    const { standing, archived, waiting } = await kept()
    const known = new Set([...standing, ...archived.map(({ text }) => text)])
    expect(Array.from({ length: MANY }, (_, index) => fact(index + 1)).filter((text) => !known.has(text))).toEqual([])
    expect(standing.at(-1)).toBe(fact(MANY))
    expect(standing.length).toBeGreaterThan(20)
    expect(waiting).toEqual([])
  })
})

describe('what made room', () => {
  it('is named in the journal and in the answer to the agent, and comes back', async () => {
    const { call, hermes, kept } = openLab({ memory: { memoryCharLimit: 100 } })
    await call(fact(1))
    const answer = await call(fact(2))
    expect(answer?.['message']).toContain('1 older entry was moved to the archive to make room.')
    expect(JSON.stringify(answer)).not.toContain('Machine')
    const evicted = [{ text: fact(1), origin: 'user' }]
    expect(unwrap(await hermes.journal.list()).at(-1)).toMatchObject({ actor: 'agent', kind: 'applied', evicted })
    expect(unwrap(await hermes.journal.list({ text: fact(1) }))).toHaveLength(2)
    const [gone] = (await kept()).archived
    const back = unwrap(await hermes.memoryStore().restore(gone?.id ?? ''))
    expect(back.evicted).toEqual([{ text: fact(2), origin: 'user' }])
    expect((await kept()).standing).toEqual([fact(1)])
    expect(unwrap(await hermes.journal.list()).at(-1)).toMatchObject({ actor: 'host', evicted: back.evicted })
  })

  it('is not an entry of the user if a page says it: that waits', async () => {
    const { call, kept } = openLab({ memory: { memoryCharLimit: 100 } })
    await call(fact(1))
    const found = 'The wiki of the lab is slow on Mondays, says its status page'
    expect(await call(found, 'two', page(found))).toMatchObject({ success: false, code: 'held' })
    expect(await kept()).toMatchObject({ standing: [fact(1)], archived: [], waiting: [{ origin: 'tool', ops: [{ content: found }] }] })
  })
})

describe('a pin of a home', () => {
  it('is erased with its entry, as what made room is', async () => {
    const { call, hermes, storage } = openLab({ memory: { memoryCharLimit: 100 } })
    await call(fact(1))
    await call(fact(2))
    unwrap(await hermes.memoryStore().pin('memory', 'number 2'))
    for (const text of ['number 1 of', 'number 2 of']) unwrap(await hermes.forget(text))
    for (const { path } of unwrap(await storage.list(''))) {
      const document = unwrap(await readDocument(storage, path))
      expect(new TextDecoder().decode(document?.bytes)).not.toMatch(/number [12] of|pinned/)
    }
  })

  it('is journalled, keeps its entry from a full store, and is nothing the agent can pass over', async () => {
    const { call, hermes, kept } = openLab({ memory: { memoryCharLimit: 160 } })
    await call(fact(1))
    await call(fact(2))
    unwrap(await hermes.memoryStore().pin('memory', 'number 1'))
    expect(unwrap(await hermes.journal.list()).at(-1)).toMatchObject({
      actor: 'host',
      target: 'memory',
      reason: "The host's code pinned it.",
      upkeep: { action: 'pin', subject: fact(1) },
    })
    await call(fact(3))
    expect((await kept()).standing).toEqual([fact(1), fact(3)])
    const [tool] = hermes.session('one').offerTools()
    const answer = await tool?.execute(
      { action: 'remove', target: 'memory', old_text: 'number 1' },
      { messages: [user(`Forget that ${fact(1)}`)] },
    )
    expect(answer).toMatchObject({ success: false, done: true, code: 'rejected', error: expect.stringContaining('pinned') })
  })

  it.each([
    ['which an earlier operation of the list makes the only one that is meant', 'Deploys of alpha'],
    ['named with other line breaks', 'Deploys of alpha\r\nneed two approvals'],
  ])('keeps an entry %s', async (_, oldText) => {
    const { hermes, kept } = openLab()
    const store = hermes.memoryStore()
    const [pinned, other] = ['Deploys of alpha\nneed two approvals', 'Deploys of alpha need a ticket']
    for (const content of [pinned, other]) unwrap(await store.apply('memory', { action: 'add', content }, { origin: 'user' }))
    unwrap(await store.pin('memory', 'two approvals'))
    const [tool] = hermes.session('one').offerTools()
    const operations = [
      { action: 'remove', old_text: other },
      { action: 'replace', old_text: oldText, content: 'Alpha deploys freely' },
    ]
    const answer = await tool?.execute({ target: 'memory', operations }, { messages: [user(`Forget that ${other}`)] })
    expect(answer).toMatchObject({ success: false, code: 'rejected', error: expect.stringContaining('pinned') })
    expect((await kept()).standing).toEqual([pinned, other])
  })
})
