/** What becomes of the documents of a project: export, import, erasure, undo, the archive. */
import { describe, expect, it } from 'vitest'
import { createHermesHomes } from '../../src/create-hermes-homes.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { openHome } from '../session/open-home.ts'
import { must } from '../support/must.ts'

const WEBSHOP = { project: 'Web shop' }
const BLOG = { project: 'blog' }

const home = async () => {
  const opened = openHome(inMemoryBackend())
  const { memory } = opened.hermes
  must(await memory.add('memory', 'The laptop has two cores'))
  must(await memory.add('project', 'The shop deploys with make ship', { ...WEBSHOP, by: 'user' }))
  must(await memory.add('project', 'Orders live in Postgres', WEBSHOP))
  must(await memory.pin('project', 'Orders', WEBSHOP))
  must(await memory.add('project', 'The blog is written in Hugo', BLOG))
  must(await memory.add('project', 'Gone from the blog', BLOG))
  must(await memory.remove('project', 'Gone from', BLOG))
  return opened
}

const textsOf = async (storage: StorageBackend): Promise<string> => {
  const paths = must(await storage.list('')).map(({ path }) => path)
  const cut = must(await storage.read(paths))
  return paths.map((path) => `${path}\n${new TextDecoder().decode(cut.document(path)?.bytes)}`).join('\n')
}

describe('the notes on a project', () => {
  it('lie in its folder, and nothing of them in the files of the person', async () => {
    const storage = inMemoryBackend()
    const { hermes } = openHome(storage)
    must(await hermes.memory.add('project', 'Orders live in Postgres', WEBSHOP))
    must(await hermes.memory.remove('project', 'Orders', WEBSHOP))
    const paths = must(await storage.list('')).map(({ path }) => path.replace(/\d{4}-\d\d-\d\d/, 'DAY'))
    expect(paths.sort()).toEqual([
      'journal/DAY.jsonl',
      ...['.archive.jsonl', '.facts.jsonl', 'MEMORY.md'].map((name) => `projects/~57eb~20shop/memories/${name}`),
    ])
  })

  it('are exported and imported with their origins, pins, archive and journal, once', async () => {
    const first = await home()
    const archive = must(await first.hermes.export())
    const { hermes } = openHome(inMemoryBackend(), { clock: () => 7_200_000 })
    const report = must(await hermes.import(archive))
    expect(report.refused).toEqual([])
    for (const project of [WEBSHOP, BLOG]) {
      expect(await hermes.memory.list('project', project)).toEqual(await first.hermes.memory.list('project', project))
      const archived = async (from: typeof hermes) => must(await from.memoryStore(project).archived('project'))
      expect(await archived(hermes)).toEqual(await archived(first.hermes))
    }
    expect(must(await hermes.memory.list('memory')).map(({ content }) => content)).toEqual(['The laptop has two cores'])
    const again = must(await hermes.import(archive))
    expect(again.changed).toBe(false)
  })

  it('come from an archive that is not trusted as text from outside, in their project alone', async () => {
    const archive = must(await (await home()).hermes.export())
    const { hermes } = openHome(inMemoryBackend(), { trust: 'open' })
    must(await hermes.import(archive, { trusted: false }))
    const entries = must(await hermes.memory.list('project', WEBSHOP))
    expect(entries.map(({ by, pinned }) => [by, pinned])).toEqual(entries.map(() => ['tool', false]))
    const { hermes: strict } = openHome(inMemoryBackend(), { trust: 'strict' })
    must(await strict.import(archive, { trusted: false }))
    const held = must(await strict.pending.list())
    expect(
      held
        .filter(({ target }) => target === 'project')
        .map(({ project }) => project)
        .sort(),
    ).toEqual(['Web shop', 'Web shop', 'blog', 'blog'])
  })

  it('are forgotten in every project, with the texts of next sessions', async () => {
    const storage = inMemoryBackend()
    const { hermes } = openHome(storage)
    for (const project of [WEBSHOP, BLOG]) must(await hermes.memory.add('project', 'The key lies under the mat', project))
    must(await hermes.memory.add('project', 'Stays', BLOG))
    await hermes.session('one', BLOG).systemBlock()
    await hermes.settled()
    const receipt = must(await hermes.forget('under the mat'))
    expect(receipt.erased.memoryEntries).toBe(2)
    expect(receipt.remaining).toEqual([])
    expect(await textsOf(storage)).not.toContain('under the mat')
    expect(must(await hermes.memory.list('project', BLOG)).map(({ content }) => content)).toEqual(['Stays'])
  })

  it('are found as an entry to forget, and are named where their project has the text in its name', async () => {
    const { hermes } = await home()
    const receipt = must(await hermes.forget({ entry: 'deploys with' }))
    expect(receipt.erased.memoryEntries).toBe(1)
    expect(must(await hermes.memory.list('project', WEBSHOP)).map(({ content }) => content)).toEqual(['Orders live in Postgres'])
    const named = must(await hermes.forget('Web shop'))
    expect(named.remaining.some(({ path }) => path === 'projects/~57eb~20shop/memories/MEMORY.md')).toBe(true)
  })

  it('are taken back by undo, and restored from the archive of their project', async () => {
    const { hermes } = await home()
    must(await hermes.undo())
    expect(must(await hermes.memory.list('project', BLOG)).map(({ content }) => content)).toEqual([
      'The blog is written in Hugo',
      'Gone from the blog',
    ])
    must(await hermes.memory.remove('project', 'Gone from', BLOG))
    const store = hermes.memoryStore(BLOG)
    const [archived] = must(await store.archived('project'))
    expect(archived?.id).toMatch(/^project-/)
    const [id] = must(await hermes.memoryStore(WEBSHOP).archived('project'))
    expect(id).toBeUndefined()
    expect(await hermes.memoryStore(WEBSHOP).restore(archived?.id ?? '')).toMatchObject({ ok: false, error: { code: 'not_found' } })
    expect(await hermes.memoryStore().restore(archived?.id ?? '')).toMatchObject({ ok: false, error: { code: 'invalid' } })
    must(await store.restore(archived?.id ?? ''))
    must(await hermes.memory.unpin('project', 'Orders', WEBSHOP))
    must(await hermes.undo())
    expect(must(await hermes.memory.list('project', WEBSHOP)).map(({ pinned }) => pinned)).toEqual([false, true])
  })

  it('are explained with what the journal has of that project alone', async () => {
    const { hermes } = await home()
    must(await hermes.memory.add('project', 'The blog is written in Hugo', WEBSHOP))
    const story = must(await hermes.memory.why('project', 'Hugo', BLOG))
    expect(story.records.map(({ project }) => project)).toEqual(['blog'])
    expect(await hermes.memory.why('project', 'Postgres', BLOG)).toMatchObject({ ok: false, error: { code: 'not_found' } })
  })

  it('go with the owner that is erased', async () => {
    const storage = inMemoryBackend()
    const homes = createHermesHomes({ storage })
    must(await homes.for('alice').memory.add('project', 'Orders live in Postgres', WEBSHOP))
    must(await homes.for('bob').memory.add('project', 'Of Bob', WEBSHOP))
    expect(await homes.for('bob').projects()).toEqual({ ok: true, value: ['Web shop'] })
    must(await homes.erase('alice'))
    expect(await textsOf(storage)).not.toMatch(/alice|Postgres/)
    expect(must(await homes.for('bob').memory.list('project', WEBSHOP)).map(({ content }) => content)).toEqual(['Of Bob'])
  })
})

describe('what is wrong', () => {
  it('is said where there is no project, and for a name that none can have', async () => {
    const { hermes } = openHome(inMemoryBackend())
    const refused = { ok: false, error: { code: 'invalid', message: expect.stringContaining('There is no project here') } }
    expect(await hermes.memory.add('project', 'x')).toMatchObject(refused)
    expect(await hermes.memory.list('project')).toMatchObject(refused)
    expect(await hermes.memory.pin('project', 'x')).toMatchObject(refused)
    expect(await hermes.memory.list('project', { project: '' })).toMatchObject({ ok: false, error: { code: 'invalid' } })
    expect(await hermes.memory.list('memory', { by: 'user' } as object)).toMatchObject({ ok: false, error: { code: 'invalid' } })
    expect(() => hermes.memoryStore({ project: 'a'.repeat(300) })).toThrow(TypeError)
    expect(() => openHome(inMemoryBackend(), { project: '' })).toThrow("'project': must be a name such as 'webshop'")
  })
})
