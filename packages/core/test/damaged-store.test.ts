/** One memory file that cannot be read stops neither reading nor writing the other. */

import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../src/memory/memory-store.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import { updateDocument } from '../src/storage/one-document.ts'
import { openHome, user } from './session/open-home.ts'
import { unwrap } from './support/skill-library.ts'

const FILES = { memory: 'memories/MEMORY.md', user: 'memories/USER.md' } as const

describe.each([
  ['memory', 'user'],
  ['user', 'memory'],
] as const)('while the file of %s is damaged', (damaged, other) => {
  const open = async () => {
    const storage = inMemoryBackend()
    const store = new MemoryStore({ storage })
    for (const target of ['memory', 'user'] as const) {
      unwrap(await store.apply(target, { action: 'add', content: `first of ${target}` }, { origin: 'user' }))
      unwrap(await store.apply(target, { action: 'replace', oldText: 'first', content: `second of ${target}` }, { origin: 'user' }))
    }
    unwrap(await updateDocument(storage, FILES[damaged], () => new Uint8Array([0xff, 0xfe])))
    return storage
  }

  it('a store reads, explains and writes the other', async () => {
    const problems: string[] = []
    const store = new MemoryStore({ storage: await open(), onFailure: ({ message }) => problems.push(message) })
    await store.load()
    expect(store.renderSnapshot(other)).toContain(`second of ${other}`)
    expect(store.renderSnapshot(damaged)).toBeUndefined()
    expect(unwrap(await store.facts(other))).toMatchObject([{ entry: `second of ${other}`, origin: 'user' }])
    problems.length = 0
    expect(unwrap(await store.archived()).map(({ text }) => text)).toEqual([`first of ${other}`])
    expect(problems).toEqual([expect.stringContaining(FILES[damaged])])
    expect(await store.archived(damaged)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    unwrap(await store.apply(other, { action: 'add', content: 'third' }, { origin: 'user' }))
    unwrap(await store.apply(other, { action: 'remove', oldText: 'second' }))
    expect(await store.apply(damaged, { action: 'add', content: 'third' })).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  })

  it('a session shows the other, and its agent writes to it', async () => {
    const storage = await open()
    const { hermes } = openHome(storage)
    const session = hermes.session('a')
    const tool = session.offerTools().find(({ name }) => name === 'memory')
    expect(await session.systemBlock()).toContain(`second of ${other}`)
    session.beginStep([user('Remember that I like tea')])
    expect(await tool?.execute({ action: 'add', target: other, content: 'Likes tea' })).toMatchObject({ success: true })
    expect(await new MemoryStore({ storage }).current(other)).toMatchObject({ ok: true, value: [`second of ${other}`, 'Likes tea'] })
  })
})
