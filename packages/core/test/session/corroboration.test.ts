/** A fact that the user's own words support by themselves counts as the user's and is no longer held. */
import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../src/memory/memory-store.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { assistant, openHome, user } from './open-home.ts'

const result: TurnMessage = { role: 'tool', text: 'Deploys happen on Fridays. Staging runs on Fedora 40.', toolNames: ['fetch'] }
const FEDORA = 'Staging runs on Fedora 40'

const storeOf = async (storage: StorageBackend) => {
  const store = new MemoryStore({ storage })
  await store.load()
  return store
}

/** A home with a fact from a document, and a review of what the user says afterwards. */
const review = async (storage: StorageBackend, said: string, ...ops: readonly object[]) => {
  const { hermes } = openHome(storage, { nudge: { memoryInterval: 1, skillInterval: 0 } })
  let calls = 0
  const model: HostModel = async () => {
    calls++
    return JSON.stringify({
      proposals: calls === 1 ? ops.map((op) => ({ target: 'memory', score: 0.9, evidence: [{ quote: said }], ...op })) : [],
    })
  }
  hermes.session('next').recordTurn({ messages: [user(said), assistant('Noted.')], model })
  await hermes.settled()
  const records = await hermes.journal.list()
  const pending = await hermes.pending.list()
  return {
    store: await storeOf(storage),
    records: records.ok ? records.value : [],
    pending: pending.ok ? pending.value : [],
  }
}

const homeWith = async (...entries: readonly (readonly [string, 'user' | 'tool'])[]) => {
  const storage = inMemoryBackend()
  const store = await storeOf(storage)
  for (const [content, origin] of entries) await store.apply('memory', { action: 'add', content }, { origin })
  return storage
}

const add = (content: string) => ({ op: { action: 'add', content } })

describe('an entry from outside that the own words come to', () => {
  it.each([
    ['the same text', FEDORA],
    ['the same words in other forms', 'Fedora 40 runs staging'],
  ])("is the user's: %s", async (_, content) => {
    const storage = await homeWith([FEDORA, 'tool'], ['Repo uses pnpm', 'user'])
    const { store, records } = await review(storage, 'As I said, staging runs on Fedora 40.', add(content))
    // It is stored in the same place as without the earlier external text.
    expect(store.entries('memory')).toEqual(['Repo uses pnpm', content])
    expect(store.origins('memory').get(content)).toBe('user')
    expect(records).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'applied', origin: 'user', op: { action: 'add', content } }),
        expect.objectContaining({ kind: 'settled', previous: [FEDORA], reason: expect.stringContaining('no longer counts') }),
      ]),
    )
  })

  it.each([
    ['no citation', []],
    ['a citation of the agent', [{ quote: 'Noted.' }]],
  ])('stays from outside after %s', async (_, evidence) => {
    const storage = await homeWith([FEDORA, 'tool'])
    const { store, records } = await review(storage, 'As I said, staging runs on Fedora 40.', { ...add(FEDORA), evidence })
    expect(store.origins('memory').get(FEDORA)).toBe('tool')
    expect(records.some(({ kind }) => kind === 'settled')).toBe(false)
  })
})

describe('the agent’s own call after text from outside', () => {
  const behind = async (op: object) => {
    const storage = await homeWith(['Repo uses npm', 'user'])
    const { hermes } = openHome(storage)
    const messages = [user('What does the page say?'), result]
    const [memory] = hermes.session('one').offerTools()
    const answer = await memory?.execute({ target: 'memory', ...op }, { messages })
    return { storage, answer, text: JSON.stringify(answer) }
  }

  it('says plainly that a fact is kept apart', async () => {
    const { text, storage } = await behind({ action: 'add', content: FEDORA })
    expect(text).toContain('"success":true')
    expect(text).toContain('kept apart as data')
    expect((await storeOf(storage)).origins('memory').get(FEDORA)).toBe('tool')
  })

  it('says plainly that it waits, and is settled by a later review of the own words', async () => {
    const { text, storage } = await behind({ action: 'replace', old_text: 'npm', content: 'Repo uses pnpm' })
    expect(text).toContain('A later review settles it by itself')
    expect(text).toContain('Do not retry')
    const said = await review(storage, 'We use pnpm in the repo now.', {
      op: { action: 'replace', oldText: 'npm', content: 'Repo uses pnpm' },
    })
    expect(said.store.entries('memory')).toEqual(['Repo uses pnpm'])
    expect(said.pending).toEqual([])
    expect(said.records).toEqual(expect.arrayContaining([expect.objectContaining({ kind: 'settled', pendingId: expect.any(String) })]))
  })

  it('continues waiting if the own words come to something else', async () => {
    const { storage } = await behind({ action: 'add', content: 'Always deploy on Fridays' })
    const said = await review(storage, 'We deploy on Mondays.', add('Deploys happen on Mondays'))
    expect(said.pending).toHaveLength(1)
  })
})
