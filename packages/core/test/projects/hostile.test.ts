/** What a careless host, a prepared home or a broken disk can do with projects. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HermesOptions } from '../../src/hermes-options.ts'
import type { MemoryProvider } from '../../src/provider/memory-provider.ts'
import { fileSystemBackend } from '../../src/storage/files/file-backend.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { assistant, openHome, talk, user } from '../session/open-home.ts'
import { temporaryFolder } from '../storage/support/temporary-home.ts'
import { must } from '../support/must.ts'

const WEBSHOP = { project: 'webshop' }
const BLOG = { project: 'blog' }

const contentsOf = (listed: readonly { readonly content: string }[]) => listed.map(({ content }) => content)

describe('a session that is opened with another project than its own', () => {
  const misplaced = async (options: Partial<HermesOptions> = {}) => {
    const storage = inMemoryBackend()
    const { hermes } = openHome(storage)
    must(await hermes.memory.add('memory', 'The laptop has two cores'))
    await hermes.session('one', WEBSHOP).systemBlock()
    await hermes.settled()
    const other = openHome(storage, options)
    return { ...other, session: other.hermes.session('one', BLOG) }
  }

  it('writes nothing by its tools, before and after its record was read, and nothing that the host submits', async () => {
    const { session, hermes } = await misplaced()
    const [tool] = session.offerTools({ only: ['memory'] })
    const add = { target: 'memory', action: 'add', content: 'The blog moved to Astro' }
    expect(await tool?.execute(add)).toMatchObject({ success: false, code: 'invalid' })
    expect(await tool?.execute(add)).toMatchObject({ success: false, code: 'wiring' })
    const op = { action: 'add', content: 'The blog moved to Astro' } as const
    const proposal = { target: 'memory', op, rationale: 'said', score: 0.9, evidence: [{ quote: op.content }] } as const
    expect(await session.submit(proposal, [user(op.content)])).toMatchObject({ ok: false, error: { code: 'invalid' } })
    expect(contentsOf(must(await hermes.memory.list('memory')))).toEqual(['The laptop has two cores'])
    expect(must(await hermes.pending.list())).toEqual([])
  })

  it('shows nothing after a refresh either', async () => {
    const { session } = await misplaced()
    expect(await session.systemBlock()).toBe('')
    expect(await session.refresh()).toBe('')
    expect(await session.systemBlock()).toBe('')
  })

  it('tells the memory provider no turn, and shows nothing that it recalls', async () => {
    const stored: string[] = []
    const provider: MemoryProvider = {
      name: 'spy',
      projects: true,
      initialize: () => ({
        syncTurn: async (turn) => void stored.push(turn.user),
        prefetch: async () => 'Recalled from everywhere',
      }),
    }
    const { session, hermes } = await misplaced({ memory: { provider } })
    const prompt = [user('Hello'), assistant('Hi'), user('The blog moved to Astro')]
    expect(await session.recall(prompt)).toEqual([])
    talk(session, prompt.slice(0, 2), 'The blog moved to Astro')
    await session.end()
    await hermes.settled()
    expect(stored).toEqual([])
    talk(hermes.session('other', BLOG), [], 'Posts are in Hugo')
    await hermes.settled()
    expect(stored).toEqual(['Posts are in Hugo'])
  })
})

describe('a document that names a project which there cannot be', () => {
  const names = ['', 'x'.repeat(10_000), '\ud800', 'é'.repeat(100), 'a\0b']

  const change = async (storage: StorageBackend, path: string, edit: (text: string) => string) => {
    const text = new TextDecoder().decode(must(await storage.read([path])).document(path)?.bytes)
    must(await storage.update([path], () => ({ put: { [path]: new TextEncoder().encode(edit(text)) }, value: undefined })))
  }

  it.each(names)('does not break a turn as the record of a session: it is set aside, with an event', async (project) => {
    const storage = inMemoryBackend()
    const { hermes } = openHome(storage)
    must(await hermes.memory.add('memory', 'The laptop has two cores'))
    talk(hermes.session('one'), [], 'hello')
    await hermes.settled()
    await change(storage, 'sessions/one.json', (text) => JSON.stringify({ ...JSON.parse(text), project }))
    const other = openHome(storage)
    expect(await other.hermes.session('one').systemBlock()).toContain('two cores')
    expect(other.events).toContainEqual(expect.objectContaining({ type: 'storage-failed', operation: 'load session' }))
  })

  it.each(names)('is an error as a held proposal, and none that an undo takes back as a record of the journal', async (project) => {
    const storage = inMemoryBackend()
    const { hermes } = openHome(storage, { trust: 'strict' })
    must(await hermes.memory.add('project', 'Orders live in Postgres', WEBSHOP))
    const [day] = must(await storage.list('journal'))
    await change(storage, day?.path ?? '', (text) => text.replace('"project":"webshop"', `"project":${JSON.stringify(project)}`))
    expect(await hermes.undo()).toMatchObject({ ok: false, error: { code: 'not_found' } })
    const input = { target: 'project', action: 'add', content: 'The staging server is at host seven' }
    const [tool] = hermes.session('one', WEBSHOP).offerTools({ only: ['memory'] })
    await tool?.execute(input)
    const [held] = must(await hermes.pending.list())
    await change(storage, `pending/memory/${held?.id}.json`, (text) => JSON.stringify({ ...JSON.parse(text), project }))
    expect(must(await hermes.pending.list())).toEqual([])
    expect(await hermes.pending.approve(held?.id ?? '')).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  })
})

it('keeps the notes on projects apart whose names look like paths, devices or each other', async () => {
  const names = ['..', '.', 'a/b', 'a\\b', 'A', 'a', 'con', 'CON', 'é', 'e\u0301', '~61', 'a ', ' a', 'a.', '__proto__', 'x'.repeat(200)]
  const home = temporaryFolder()
  const { hermes } = openHome(fileSystemBackend(home))
  for (const project of names) must(await hermes.memory.add('project', `Note ${names.indexOf(project)} of one project`, { project }))
  expect([...must(await hermes.projects())].sort()).toEqual([...names].sort())
  for (const [index, project] of names.entries()) {
    const block = await hermes.session(`of ${index}`, { project }).systemBlock()
    expect(block.match(/Note \d+ of/g)).toEqual([`Note ${index} of`])
  }
  await hermes.settled()
  // Also on a disk that ignores case or Unicode form.
  const folders = readdirSync(join(home, 'projects'))
  expect(new Set(folders.map((name) => name.toLowerCase().normalize('NFC'))).size).toBe(names.length)
})

it('does not take the kept text of one project for another, wherever it is copied', async () => {
  const home = temporaryFolder()
  const { hermes } = openHome(fileSystemBackend(home))
  for (const [index, project] of [WEBSHOP, BLOG].entries()) {
    must(await hermes.memory.add('project', `Zebra ${index}`, project))
    await hermes.session(`s${index}`, project).systemBlock()
  }
  await hermes.settled()
  const kept = (project: string) => join(home, 'projects', project, 'memories', '.block.json')
  expect(readFileSync(kept('webshop'), 'utf8')).toContain('Zebra 0')
  writeFileSync(kept('blog'), readFileSync(kept('webshop')))
  writeFileSync(join(home, 'memories', '.block.json'), readFileSync(kept('webshop')))
  const next = openHome(fileSystemBackend(home)).hermes
  expect((await next.session('two', BLOG).systemBlock()).match(/Zebra \d/g)).toEqual(['Zebra 1'])
  expect(await next.session('three').systemBlock()).not.toContain('Zebra')
})

it('lists no project of which nothing but the text of its next session is stored', async () => {
  const { hermes } = openHome(fileSystemBackend(temporaryFolder()))
  must(await hermes.memory.add('memory', 'The laptop has two cores'))
  await hermes.session('one', WEBSHOP).systemBlock()
  await hermes.settled()
  expect(must(await hermes.projects())).toEqual([])
})

it('shows the memory of the person, and follows no link, where the folder of a project leads out of the home', async () => {
  const [home, outside] = [temporaryFolder(), temporaryFolder()]
  mkdirSync(join(outside, 'memories'))
  mkdirSync(join(home, 'projects'))
  writeFileSync(join(outside, 'memories', 'MEMORY.md'), 'Of somebody else\n')
  symlinkSync(outside, join(home, 'projects', 'webshop'))
  const { hermes, events } = openHome(fileSystemBackend(home))
  must(await hermes.memory.add('memory', 'The laptop has two cores'))
  const block = await hermes.session('one', WEBSHOP).systemBlock()
  expect(block).toContain('two cores')
  expect(block).not.toContain('somebody else')
  expect(events).toContainEqual(expect.objectContaining({ type: 'storage-failed', operation: 'load memory' }))
  expect(await hermes.memory.add('project', 'Orders live in Postgres', WEBSHOP)).toMatchObject({
    ok: false,
    error: { code: 'invalid_path' },
  })
  expect(readdirSync(join(outside, 'memories'))).toEqual(['MEMORY.md'])
  expect(must(await hermes.forget('two cores')).remaining).toMatchObject([{ path: 'projects/webshop' }])
})

it('goes on with its frozen text, and writes anew, when the folder of its project is deleted while it runs', async () => {
  const home = temporaryFolder()
  const { hermes } = openHome(fileSystemBackend(home))
  must(await hermes.memory.add('project', 'Orders live in Postgres', WEBSHOP))
  const session = hermes.session('one', WEBSHOP)
  const block = await session.systemBlock()
  await hermes.settled()
  rmSync(join(home, 'projects'), { recursive: true })
  talk(session, [], 'hello')
  await hermes.settled()
  expect(await session.systemBlock()).toBe(block)
  must(await hermes.memory.add('project', 'Tests need a database', WEBSHOP))
  const fresh = await session.refresh()
  expect(fresh).toContain('Tests need a database')
  expect(fresh).not.toContain('Postgres')
})

it('forgets with a session what it wrote last, also where another wrote the same in another project', async () => {
  for (const [first, second] of [
    ['a', 'b'],
    ['b', 'a'],
  ] as const) {
    const { hermes } = openHome(inMemoryBackend())
    for (const project of [first, second]) {
      const [tool] = hermes.session(`of ${project}`, { project }).offerTools({ only: ['memory'] })
      expect(await tool?.execute({ target: 'project', action: 'add', content: 'The staging server is at host seven' })).toMatchObject({
        success: true,
      })
    }
    expect(must(await hermes.forget({ session: `of ${first}` }, { dryRun: true })).erased.memoryEntries).toBe(0)
    expect(must(await hermes.forget({ session: `of ${second}` })).erased.memoryEntries).toBe(2)
  }
})
