import { describe, expect, it } from 'vitest'
import type { HostModel } from '../../src/model/host-model.ts'
import { ok } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { user } from '../session/open-home.ts'
import { openAt, put, unwrap } from './fill-home.ts'

const textOf = async (storage: StorageBackend, path: string): Promise<string> =>
  new TextDecoder().decode(unwrap(await readDocument(storage, path))?.bytes ?? new Uint8Array())

const everything = async (storage: StorageBackend): Promise<string> => {
  const texts: string[] = []
  for (const { path } of unwrap(await storage.list(''))) texts.push(`${path}\n${await textOf(storage, path)}`)
  return texts.join('\n')
}

describe('forget, in open sessions', () => {
  it('takes the entry out of the frozen text, in this process and in the record, and leaves the rest to the letter', async () => {
    const storage = inMemoryBackend()
    const hermes = openAt(storage)
    const memory = hermes.memoryStore()
    for (const content of ['Builds with pnpm.', 'Lives in Lisbon.', 'Likes tea.'])
      unwrap(await memory.apply('memory', { action: 'add', content }))
    unwrap(await memory.apply('memory', { action: 'add', content: 'The page says Lisbon.\nTwice.' }, { origin: 'tool' }))
    unwrap(await memory.apply('user', { action: 'add', content: 'Moves to Lisbon.' }))
    unwrap(await hermes.skillStore().create({ name: 'plain', content: '---\nname: plain\ndescription: How to.\n---\n\nDo it.\n' }))
    const session = hermes.session('one')
    // The catalogue is shown where the tools are offered.
    expect(session.offerTools()).not.toEqual([])
    const before = await session.systemBlock()
    await hermes.settled()
    unwrap(await hermes.forget('lisbon'))
    const after = await session.systemBlock()
    expect(before).toMatch(/USER PROFILE[\s\S]*SKILLS/)
    expect(after).not.toMatch(/Lisbon|USER PROFILE|OUTSIDE/)
    expect(after).toContain('Builds with pnpm.\n§\nLikes tea.\n\n═')
    expect(after.slice(after.indexOf('SKILLS'))).toBe(before.slice(before.indexOf('SKILLS')))
    // Another process continues with the same text.
    expect(await openAt(storage).session('one').systemBlock()).toBe(after)
  })

  it('erases it from the record of a session that is opened meanwhile and saved behind the search', async () => {
    const storage = inMemoryBackend()
    await put(storage, 'memories/MEMORY.md', 'Lives at Calle Mayor 5.\n§\nOther.')
    let looks = 0
    let write: () => void = () => {}
    const gate = new Promise<void>((resolve) => {
      write = resolve
    })
    let saved: Promise<unknown> | undefined
    const watched: StorageBackend = {
      ...storage,
      list: async (folder) => {
        if (folder !== '') return storage.list(folder)
        looks++
        if (looks === 1) {
          expect(await hermes.session('late').systemBlock()).toContain('Calle Mayor')
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
        const listed = await storage.list(folder)
        if (looks !== 2) return listed
        write()
        await saved
        await new Promise((resolve) => setTimeout(resolve, 20))
        return listed
      },
      update: (paths, plan, options) => {
        if (looks === 0 || options?.forget || !paths.some((path) => path.startsWith('sessions/')))
          return storage.update(paths, plan, options)
        const writing = gate.then(() => storage.update(paths, plan, options))
        saved ??= writing
        return writing
      },
    }
    const hermes = openAt(watched)
    expect(unwrap(await hermes.forget('Calle Mayor 5')).remaining).toEqual([])
    expect(saved).toBeDefined()
    expect(await hermes.session('late').systemBlock()).not.toContain('Calle Mayor')
    await hermes.settled()
    expect(await everything(storage)).not.toContain('Calle Mayor')
  })

  it('calls off a review in progress that may have read it; what else it had read is read by the next', async () => {
    const storage = inMemoryBackend()
    const hermes = openAt(storage, undefined, { nudge: { memoryInterval: 2 } })
    const requests: string[] = []
    let asked: () => void = () => {}
    const underWay = new Promise<void>((resolve) => {
      asked = resolve
    })
    let answer: (text: string) => void = () => {}
    const model: HostModel = (request) => {
      requests.push(JSON.stringify(request))
      asked()
      return new Promise<string>((resolve) => {
        answer = resolve
      })
    }
    const session = hermes.session('one')
    session.recordTurn({ messages: [user('Mine is zebra-4411.')], model })
    session.recordTurn({ messages: [user('I build with pnpm.')], model })
    await underWay
    unwrap(await hermes.forget('zebra-4411'))
    // A model that ignores its signal still answers.
    answer(
      JSON.stringify({
        proposals: [{ target: 'user', op: { action: 'add', content: 'Has zebra-4411.' }, rationale: 'r', score: 0.9, evidence: [] }],
      }),
    )
    await hermes.settled()
    expect(await everything(storage)).not.toContain('4411')
    session.recordTurn({
      messages: [user('Thanks.')],
      model: async (request) => {
        requests.push(JSON.stringify(request))
        return '{"proposals": []}'
      },
    })
    await hermes.settled()
    expect(requests).toHaveLength(2)
    expect(requests[1]).toContain('I build with pnpm.')
    expect(requests[1]).not.toContain('4411')
  })
})

describe('forget({ entry })', () => {
  it('erases the one entry that is meant, and not a longer one that holds its words', async () => {
    const storage = inMemoryBackend()
    const hermes = openAt(storage)
    const memory = hermes.memoryStore()
    unwrap(await memory.apply('memory', { action: 'add', content: 'Uses pnpm' }))
    unwrap(await memory.apply('memory', { action: 'add', content: 'The user uses pnpm with corepack' }))
    const session = hermes.session('one')
    await session.systemBlock()
    await hermes.settled()
    const receipt = unwrap(await hermes.forget({ entry: 'Uses pnpm' }))
    expect(receipt).toMatchObject({ erased: { memoryEntries: 1, journalRecords: 1, sessions: 1 }, remaining: [] })
    expect(await textOf(storage, 'memories/MEMORY.md')).toBe('The user uses pnpm with corepack')
    expect(await session.systemBlock()).toContain('The user uses pnpm with corepack')
    expect(JSON.stringify(unwrap(await hermes.journal.list()))).toContain('with corepack')
    const facts = (await textOf(storage, 'memories/.facts.jsonl')).trim().split('\n')
    expect(facts.map((line) => JSON.parse(line).entry)).toEqual(['The user uses pnpm with corepack'])
  })
})

describe('forget({ session })', () => {
  it('erases the record, its journal, its proposals and what it wrote, and nothing of another session', async () => {
    const storage = inMemoryBackend()
    const proposing =
      (content: string): HostModel =>
      async () =>
        JSON.stringify({
          proposals: [{ target: 'user', op: { action: 'add', content }, rationale: `about ${content}`, score: 0.9, evidence: [] }],
        })
    const hermes = openAt(storage, undefined, { nudge: { memoryInterval: 1 }, trust: 'open' })
    hermes.session('one').recordTurn({ messages: [user('I like zebras')], model: proposing('Likes zebras') })
    await hermes.settled()
    hermes.session('two').recordTurn({ messages: [user('I like tea')], model: proposing('Likes tea') })
    await hermes.settled()
    const held = openAt(storage, undefined, {
      nudge: { memoryInterval: 1 },
      gate: async () => ok({ approved: false, held: true, reason: 'waits' }),
    })
    held.session('one').recordTurn({ messages: [user('More.')], model: proposing('Held zebra') })
    await held.settled()
    held.session('two').recordTurn({ messages: [user('More.')], model: proposing('Held tea') })
    await held.settled()
    expect(await everything(storage)).toMatch(/Held zebra[\s\S]*sessions\/one/)
    // The text of the entry is now in the frozen block of another session.
    expect(await hermes.session('three').systemBlock()).toContain('Likes zebras')
    await hermes.settled()

    const told = unwrap(await hermes.forget({ session: 'one' }, { dryRun: true }))
    const receipt = unwrap(await hermes.forget({ session: 'one' }))
    expect({ ...told, at: 0, dryRun: false }).toEqual({ ...receipt, at: 0 })
    expect(receipt).toMatchObject({ erased: { memoryEntries: 1, heldProposals: 1, sessions: 3 }, remaining: [] })
    const left = await everything(storage)
    expect(left).not.toMatch(/zebra|"one"|sessions\/one/i)
    expect(left).toMatch(/Likes tea/)
    expect(left).toMatch(/Held tea/)
    expect(await hermes.session('three').systemBlock()).toContain('Likes tea')
    expect(Object.values(unwrap(await hermes.forget({ session: 'one' })).erased).every((count) => count === 0)).toBe(true)
  })
})

describe('forget({ session }) of a session whose text was stated later', () => {
  it.each([
    ['by the host', 'tool', { by: 'host' }],
    ['by the host, of a note of the agent', 'assistant', { by: 'host' }],
    ['as the user’s words', 'tool', { by: 'user' }],
    ['as the user’s words, which it was', 'user', { by: 'user' }],
  ] as const)('keeps it: %s', async (_, origin, options) => {
    const storage = inMemoryBackend()
    const hermes = openAt(storage)
    const op = { action: 'add', content: 'Likes tea' } as const
    unwrap(await hermes.memoryStore().apply('user', op, { origin, sessionId: 'first' }))
    unwrap(await hermes.memory.add('user', 'Likes tea', options))
    unwrap(await hermes.forget({ session: 'first' }))
    expect(unwrap(await hermes.memory.list('user'))).toMatchObject([{ content: 'Likes tea', by: options.by }])
  })

  it('erases what was only confirmed', async () => {
    const hermes = openAt(inMemoryBackend())
    unwrap(await hermes.memoryStore().apply('user', { action: 'add', content: 'Likes tea' }, { origin: 'tool', sessionId: 'first' }))
    unwrap(await hermes.memory.add('user', 'Likes tea'))
    unwrap(await hermes.forget({ session: 'first' }))
    expect(unwrap(await hermes.memory.list('user'))).toEqual([])
  })
})

describe('forget refuses', () => {
  it.each([
    ['a blank text', '  \n'],
    ['a short text', 'ab'],
    ['characters that nobody sees', 'a\u200b\u200b\u200bb'],
    ['several entries', 'one\n§\ntwo'],
    ['a number', 12],
    ['nothing', undefined],
    ['null', null],
    ['an empty object', {}],
    ['two at once', { entry: 'abc', session: 'x' }],
    ['an entry that is no text', { entry: 5 }],
    ['an empty session', { session: '' }],
    ['half a character', { session: '\ud800' }],
  ])('%s, with advice', async (_, target) => {
    const storage = inMemoryBackend()
    await put(storage, 'memories/MEMORY.md', 'abc')
    expect(await openAt(storage).forget(target as string)).toMatchObject({
      ok: false,
      error: { code: 'invalid', message: expect.stringMatching(/Pass|Forget/) },
    })
  })

  it('nothing that looks like a word of the library itself', async () => {
    const storage = inMemoryBackend()
    const hermes = openAt(storage)
    unwrap(await hermes.memoryStore().apply('memory', { action: 'add', content: 'A person applied for it' }, { origin: 'user' }))
    unwrap(await hermes.memoryStore().apply('memory', { action: 'add', content: 'Builds with pnpm' }, { origin: 'user' }))
    unwrap(await hermes.forget('applied for'))
    const again = unwrap(await hermes.forget('applied'))
    expect(again).toMatchObject({ erased: { journalRecords: 0 }, remaining: [] })
    expect(JSON.stringify(unwrap(await hermes.journal.list()))).toContain('pnpm')
    // The record of an erasure consists of words of the library, so it stays.
    unwrap(await hermes.forget('erased from this home'))
    expect(unwrap(await hermes.journal.list()).at(-1)?.upkeep?.action).toBe('erase')
  })
})
