/** `hermes.undo`: which writes it takes back, in one update, and why it refuses. What each kind of write comes back to is in the tests of the command line too. */
import { describe, expect, it } from 'vitest'
import { createHermes } from '../src/create-hermes.ts'
import { createHermesHomes } from '../src/create-hermes-homes.ts'
import { createPending } from '../src/journal/pending.ts'
import { fileSystemBackend } from '../src/storage/files/file-backend.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import { updateDocument } from '../src/storage/one-document.ts'
import type { StorageBackend } from '../src/storage/storage-backend.ts'
import { CREATE, DEFAULT_GATE, scripted, TRIAGE, toModel, skillText as withDescription } from './consolidation/library.ts'
import { temporaryFolder } from './storage/support/temporary-home.ts'
import { remove, skillText, textAt, treeOf, unwrap, write } from './support/skill-library.ts'

const NOW = Date.UTC(2026, 4, 23, 12)

/** Counts the updates that change something. */
const counting = (storage: StorageBackend) => {
  const counted = { updates: 0 }
  const over: StorageBackend = {
    ...{ read: storage.read.bind(storage), list: storage.list.bind(storage), close: storage.close.bind(storage) },
    update: (paths, plan, options) =>
      storage.update(
        paths,
        (cut) => {
          const planned = plan(cut)
          if ([planned.put, planned.append, planned.move].some((part) => part && Object.keys(part).length > 0)) counted.updates += 1
          return planned
        },
        options,
      ),
  }
  return { counted, over }
}

const open = (storage: StorageBackend = inMemoryBackend()) => {
  let at = NOW
  let ids = 0
  const events: string[] = []
  const { counted, over } = counting(storage)
  const hermes = createHermes({
    storage: over,
    clock: () => ++at,
    createId: () => `id-${String(++ids).padStart(4, '0')}`,
    actor: 'person',
    onEvent: ({ type }) => events.push(type),
  })
  const ids_ = async () => unwrap(await hermes.journal.list()).map(({ id }) => id)
  return { hermes, storage, counted, events, ids: ids_ }
}

const entries = async ({ hermes }: ReturnType<typeof open>) => unwrap(await hermes.memory.list('memory')).map(({ content }) => content)

describe('hermes.undo', () => {
  it('takes the last write back in one update with its records and event, and a second time the undo', async () => {
    const home = open()
    const { hermes, counted, events } = home
    unwrap(await hermes.memory.add('memory', 'one'))
    const [written] = unwrap(await hermes.journal.list())
    events.length = 0
    counted.updates = 0
    expect(unwrap(await hermes.undo())).toMatchObject({
      records: [{ id: written?.id }],
      steps: [{ kind: 'memory', op: { action: 'remove' } }],
    })
    expect([await entries(home), counted.updates, events]).toEqual([[], 1, ['memory-changed']])
    expect(unwrap(await hermes.journal.list()).at(-1)).toMatchObject({ actor: 'person', undoes: [written?.id], op: { action: 'remove' } })
    unwrap(await hermes.undo())
    expect(await entries(home)).toEqual(['one'])
  })

  it('takes several records back together, or none of them', async () => {
    const home = open()
    const { hermes, storage, counted, events } = home
    unwrap(await hermes.memory.add('memory', 'one'))
    unwrap(await hermes.skillStore().create({ name: 'deploy', content: skillText('deploy') }))
    unwrap(await hermes.memory.add('user', 'two'))
    const ids = await home.ids()
    await updateDocument(storage, 'skills/deploy/SKILL.md', () => new TextEncoder().encode(`${skillText('deploy')}By hand.\n`))
    const before = await treeOf(storage)
    events.length = 0
    expect(await hermes.undo(ids)).toMatchObject({ ok: false, error: { code: 'drift', details: { records: ids } } })
    expect([await treeOf(storage), events]).toEqual([before, []])
    await updateDocument(storage, 'skills/deploy/SKILL.md', () => new TextEncoder().encode(skillText('deploy')))
    counted.updates = 0
    unwrap(await hermes.undo(ids))
    expect([await entries(home), counted.updates, await textAt(storage, 'skills/deploy/SKILL.md')]).toEqual([[], 1, undefined])
    unwrap(await hermes.undo())
    expect([await entries(home), await textAt(storage, 'skills/deploy/SKILL.md')]).toEqual([['one'], skillText('deploy')])
  })

  it('checks everything and writes nothing with dryRun', async () => {
    const home = open()
    const { hermes, storage } = home
    unwrap(await hermes.memory.add('memory', 'one'))
    const before = await treeOf(storage)
    expect(unwrap(await hermes.undo(undefined, { dryRun: true })).steps).toHaveLength(1)
    expect(await treeOf(storage)).toEqual(before)
    await updateDocument(storage, 'memories/MEMORY.md', () => new TextEncoder().encode('one more'))
    expect(await hermes.undo(undefined, { dryRun: true })).toMatchObject({ ok: false, error: { code: 'drift' } })
  })

  it('brings a pinned entry back with its pin', async () => {
    const home = open()
    const { memory } = home.hermes
    unwrap(await memory.add('memory', 'Kept for good.'))
    unwrap(await memory.pin('memory', 'Kept for good.'))
    unwrap(await memory.remove('memory', 'Kept for good.'))
    expect(await entries(home)).toEqual([])
    unwrap(await home.hermes.undo())
    expect(unwrap(await memory.list('memory'))).toMatchObject([{ content: 'Kept for good.', pinned: true }])
    unwrap(await home.hermes.undo())
    expect(await entries(home)).toEqual([])
  })

  it('refuses ids that it cannot undo, and says what to do', async () => {
    const home = open()
    const { hermes } = home
    expect(await hermes.undo()).toMatchObject({ ok: false, error: { code: 'not_found', message: expect.stringContaining('no write') } })
    unwrap(await hermes.memory.add('memory', 'one'))
    unwrap(await hermes.memory.add('memory', 'two'))
    const [first = ''] = await home.ids()
    expect(await hermes.undo('id-9999')).toMatchObject({ error: { code: 'not_found', message: expect.stringContaining('id-9999') } })
    expect(await hermes.undo('id-')).toMatchObject({ error: { code: 'ambiguous', details: { candidates: [first, expect.any(String)] } } })
    for (const wrong of ['', [], [7], {}])
      expect(await hermes.undo(wrong as never)).toMatchObject({ ok: false, error: { message: expect.any(String) } })
    unwrap(await hermes.undo(first))
    const [, , undo = ''] = await home.ids()
    const message = expect.stringContaining(`has been undone already, by ${undo}`)
    expect(await hermes.undo(first)).toMatchObject({ error: { code: 'rejected', message } })
    unwrap(await hermes.undo(undo))
    expect(await entries(home)).toEqual(['two', 'one'])
    unwrap(await hermes.undo(first))
    expect(await entries(home)).toEqual(['two'])
  })

  it('lets a proposal wait again with all its operations, by the id of one', async () => {
    const home = open()
    const { hermes, storage } = home
    const propose = (content: string) => ({
      ...{ target: 'memory', op: { action: 'add', content }, rationale: 'said', score: 0.9, evidence: [] },
    })
    const pending = createPending({ storage, clock: () => NOW })
    const proposals = [propose('one'), propose('two')] as never
    const held = unwrap(await pending.hold({ proposals, reason: 'A person decides.' }))
    unwrap(await hermes.pending.approve(held.id))
    const [, second = ''] = await home.ids()
    expect(unwrap(await hermes.undo(second)).records).toHaveLength(2)
    expect(await entries(home)).toEqual([])
    expect(unwrap(await hermes.pending.list())).toMatchObject([{ id: held.id, ops: held.ops }])
    expect(await hermes.undo(second)).toMatchObject({ error: { code: 'rejected' } })
    unwrap(await hermes.undo())
    expect([await entries(home), unwrap(await hermes.pending.list())]).toEqual([['one', 'two'], []])
  })

  it('brings nothing back that was forgotten meanwhile', async () => {
    const home = open()
    const { hermes } = home
    unwrap(await hermes.memory.add('memory', 'Lives at Calle Mayor 5'))
    unwrap(await hermes.memory.remove('memory', 'Lives at Calle Mayor 5'))
    const [, removal = ''] = await home.ids()
    unwrap(await hermes.forget('Calle Mayor'))
    expect(await hermes.undo(removal)).toMatchObject({ error: { code: 'not_found', message: expect.stringContaining('forgotten') } })
    expect(await entries(home)).toEqual([])
  })

  it('is a verb of each home of many', async () => {
    const homes = createHermesHomes({ storage: inMemoryBackend() })
    const [ada, bob] = [homes.for('ada'), homes.for('bob')]
    for (const home of [ada, bob]) unwrap(await home.memory.add('memory', 'one'))
    const [record] = unwrap(await ada.journal.list())
    expect(await bob.undo(record?.id)).toMatchObject({ error: { code: 'not_found' } })
    unwrap(await ada.undo(record?.id))
    expect([unwrap(await ada.memory.list('memory')), unwrap(await bob.memory.list('memory'))]).toMatchObject([[], [{ content: 'one' }]])
  })
})

/** `hermes.undo` of what was undone, decided or changed meanwhile, and of several acts at once: each write is taken back once and whole, or nothing is. */
describe('undo again', () => {
  const open = (storage: StorageBackend = inMemoryBackend()) => {
    let at = NOW
    let ids = 0
    const events: string[] = []
    const hermes = createHermes({
      storage,
      clock: () => ++at,
      createId: () => `id-${String(++ids).padStart(4, '0')}`,
      actor: 'person',
      onEvent: ({ type }) => events.push(type),
    })
    const records = async () => unwrap(await hermes.journal.list())
    const entries = async () => unwrap(await hermes.memory.list('memory')).map(({ content }) => content)
    return { hermes, storage, events, records, entries }
  }

  /** The id that a refusal tells to undo. */
  const advised = async (undone: ReturnType<ReturnType<typeof open>['hermes']['undo']>): Promise<string> => {
    const refused = await undone
    return refused.ok ? '' : (/To take that undo back: hermes undo (\S+)$/.exec(refused.error.message)?.[1] ?? '')
  }

  describe('what was undone', () => {
    it.each([0, 1, 2])('comes back whole by the id that a refusal names for record %i', async (index) => {
      const { hermes, records, entries } = open()
      for (const text of ['one', 'two', 'three']) unwrap(await hermes.memory.add('memory', text))
      const ids = (await records()).map(({ id }) => id)
      unwrap(await hermes.undo(ids))
      expect(await entries()).toEqual([])
      unwrap(await hermes.undo(await advised(hermes.undo(ids[index]))))
      expect([...(await entries())].sort()).toEqual(['one', 'three', 'two'])
      for (const id of ids) expect(await hermes.undo(id, { dryRun: true })).toMatchObject({ ok: true })
    })

    it('is not undone twice by two undos at once', async () => {
      const { hermes, records } = open()
      unwrap(await hermes.memory.add('memory', 'one'))
      unwrap(await hermes.memory.pin('memory', 'one'))
      const [, pin] = await records()
      const both = await Promise.all([hermes.undo(pin?.id), hermes.undo(pin?.id)])
      expect(both.filter(({ ok }) => ok)).toHaveLength(1)
      expect(await records()).toHaveLength(3)
    })
  })

  describe('an undo that would change nothing', () => {
    it('is refused: the pin or the pause is not as it was left', async () => {
      const { hermes, records } = open()
      unwrap(await hermes.memory.add('memory', 'one'))
      unwrap(await hermes.skillStore().create({ name: 'deploy', content: skillText('deploy') }))
      const turns: (() => Promise<unknown>)[] = [
        () => hermes.memory.pin('memory', 'one'),
        () => hermes.memory.unpin('memory', 'one'),
        () => hermes.curator.pin('deploy'),
        () => hermes.curator.unpin('deploy'),
        () => hermes.curator.pause(),
        () => hermes.curator.resume(),
      ]
      for (const turn of turns) await turn()
      const made = (await records()).slice(2)
      expect(made).toHaveLength(turns.length)
      for (const { id } of made.filter((_, index) => index % 2 === 0))
        expect(await hermes.undo(id)).toMatchObject({ error: { code: 'drift' } })
      expect(await records()).toHaveLength(8)
    })
  })

  describe('several acts at once', () => {
    it('are refused with a rollback among them, which is undone by itself', async () => {
      const { hermes, storage, events, records, entries } = open()
      unwrap(await hermes.skillStore().create({ name: 'deploy', content: skillText('deploy') }))
      unwrap(await hermes.curator.backup())
      unwrap(await hermes.skillStore().edit('deploy', skillText('deploy', 'Another way.')))
      unwrap(await hermes.curator.rollback())
      unwrap(await hermes.memory.add('memory', 'one'))
      const ids = (await records()).slice(-2).map(({ id }) => id)
      events.length = 0
      const refusal = { ok: false, error: { code: 'rejected', message: expect.stringContaining('undone by itself') } }
      expect(await hermes.undo(ids, { dryRun: true })).toMatchObject(refusal)
      expect(await hermes.undo(ids)).toMatchObject(refusal)
      expect([await entries(), events]).toEqual([['one'], []])
      for (const id of ids) unwrap(await hermes.undo(id))
      expect([await entries(), await textAt(storage, 'skills/deploy/SKILL.md')]).toEqual([[], skillText('deploy', 'Another way.')])
    })
  })

  it('a dry run writes no copy of a file that must not be rewritten, and names none', async () => {
    const { hermes, storage } = open(fileSystemBackend(temporaryFolder()))
    unwrap(await hermes.memory.add('memory', 'one'))
    await updateDocument(storage, 'memories/MEMORY.md', () => new TextEncoder().encode(`one\n§\n${'x'.repeat(3_000)}`))
    const before = await treeOf(storage, '')
    const refused = await hermes.undo(undefined, { dryRun: true })
    expect(refused).toMatchObject({ ok: false, error: { code: 'drift', message: expect.not.stringContaining('copy') } })
    expect(refused.ok ? {} : refused.error.details).not.toHaveProperty('backupPath')
    expect(await treeOf(storage, '')).toEqual(before)
  })
})

/** `hermes.undo` of a run of the curator, and of a rollback: takes back what that write did, and nothing that somebody did since. */
describe('undo of runs', () => {
  const DAY = 86_400_000
  const CHANGED = { ok: false, error: { code: 'drift', message: expect.stringContaining('have been changed since') } }

  const usageOf = (names: readonly string[], at: number) =>
    names.map((name) => {
      const time = new Date(at).toISOString()
      return [name, { created_by: 'agent', state: 'active', use_count: 3, last_used_at: time, created_at: time }]
    })

  /** Two skills that a run archives, one of a person, and two that it may merge. */
  const open = async ({ merges = false } = {}) => {
    const storage = inMemoryBackend()
    let at = NOW
    await write(storage, {
      'skills/idle/SKILL.md': skillText('idle'),
      'skills/ops/rare/SKILL.md': skillText('rare'),
      'skills/mine/SKILL.md': skillText('mine'),
      'skills/mine/.settings': 'one',
    })
    for (const [name, { description = '', body, files = {} }] of Object.entries(merges ? TRIAGE : {})) {
      await write(storage, { [`skills/${name}/SKILL.md`]: withDescription(name, description, body) })
      await write(storage, Object.fromEntries(Object.entries(files).map(([path, text]) => [`skills/${name}/${path}`, text])))
    }
    const usage = Object.fromEntries([...usageOf(['idle', 'rare'], NOW - 200 * DAY), ...usageOf(Object.keys(merges ? TRIAGE : {}), NOW)])
    await write(storage, { 'skills/.usage.json': JSON.stringify(usage) })
    const model = toModel(scripted(CREATE).proposer)
    const hermes = createHermes({
      storage,
      clock: () => ++at,
      actor: 'person',
      gate: DEFAULT_GATE,
      curator: { consolidate: merges, model },
    })
    const run = async () => {
      unwrap(await hermes.curator.run())
      const records = unwrap(await hermes.journal.list())
      return records.filter(({ op }) => op?.action === 'archive' && op.absorbedInto === undefined).map(({ id }) => id)
    }
    const live = async () =>
      unwrap(await hermes.skillStore().list())
        .skills.map(({ name }) => name)
        .sort()
    return { storage, hermes, run, live, later: () => (at += DAY) }
  }

  describe('the undo of a run of the curator', () => {
    it('brings back all that it archived, and a second undo archives that again', async () => {
      const { hermes, run, live } = await open()
      expect([await run(), await live()]).toEqual([[expect.any(String), expect.any(String)], ['mine']])
      const undone = unwrap(await hermes.undo())
      expect(undone.steps).toMatchObject([{ kind: 'rollback', archived: ['idle', 'rare'] }])
      expect(await live()).toEqual(['idle', 'mine', 'rare'])
      unwrap(await hermes.undo())
      expect(await live()).toEqual(['mine'])
    })

    it.each<[string, (home: Awaited<ReturnType<typeof open>>) => Promise<unknown>]>([
      ['archived', async ({ hermes }) => unwrap(await hermes.curator.archive('mine'))],
      ['deleted', ({ storage }) => remove(storage, 'skills/mine/SKILL.md')],
      ['written', async ({ hermes }) => unwrap(await hermes.skillStore().create({ name: 'fresh', content: skillText('fresh') }))],
      ['edited a hidden file of', ({ storage }) => write(storage, { 'skills/mine/.settings': 'two' })],
      ['edited a file below a folder with the name of', ({ storage }) => write(storage, { 'skills/mine/idle/notes.md': 'Mine.' })],
      [
        'restored, and archived again,',
        async ({ hermes }) => {
          unwrap(await hermes.curator.restore('idle'))
          unwrap(await hermes.curator.archive('idle'))
        },
      ],
      [
        'deleted from the archive',
        async ({ hermes }) => {
          const [entry] = unwrap(await hermes.curator.prunable(0))
          unwrap(await hermes.curator.prune(entry ? [entry] : []))
        },
      ],
    ])('is refused, and changes nothing, if somebody has %s a skill since', async (_, since) => {
      const home = await open()
      const ids = await home.run()
      home.later()
      await since(home)
      const before = await treeOf(home.storage, 'skills')
      expect(await home.hermes.undo(ids)).toMatchObject(CHANGED)
      expect(await treeOf(home.storage, 'skills')).toEqual(before)
    })

    it('is refused if its records are forgotten before the rollback is written', async () => {
      const { hermes, storage, run, live } = await open()
      const ids = await run()
      const { update } = storage
      const forgetting: typeof update = async (paths, plan, options) => {
        if (!paths.includes('curator/backups/')) return update(paths, plan, options)
        Object.assign(storage, { update })
        for (const { path } of unwrap(await storage.list('journal'))) await remove(storage, path)
        return update(paths, plan, options)
      }
      Object.assign(storage, { update: forgetting })
      expect(await hermes.undo(ids)).toMatchObject({
        ok: false,
        error: { code: 'not_found', message: expect.stringContaining('has been forgotten') },
      })
      expect(await live()).toEqual(['mine'])
    })

    it('brings back one skill if it is asked for that one', async () => {
      const { hermes, run, live } = await open()
      const [first = ''] = await run()
      expect(unwrap(await hermes.undo([first])).steps).toMatchObject([{ kind: 'restore-skill', name: 'idle' }])
      expect(await live()).toEqual(['idle', 'mine'])
    })
  })
})
