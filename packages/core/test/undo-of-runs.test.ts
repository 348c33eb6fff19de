/** `hermes.undo` of a run of the curator, and of a rollback: takes back what that write did, and nothing that somebody did since. */
import { describe, expect, it } from 'vitest'
import { createHermes } from '../src/create-hermes.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import { CREATE, DEFAULT_GATE, scripted, TRIAGE, toModel, skillText as withDescription } from './consolidation/library.ts'
import { remove, skillText, textAt, treeOf, unwrap, write } from './support/skill-library.ts'

const NOW = Date.UTC(2026, 4, 23, 12)
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
  const hermes = createHermes({ storage, clock: () => ++at, actor: 'person', gate: DEFAULT_GATE, curator: { consolidate: merges, model } })
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

  it('leaves the merges of the run alone, and what a person made of them', async () => {
    const { storage, hermes, run, live } = await open({ merges: true })
    const ids = await run()
    expect(await live()).toEqual(['mine', 'pr-triage', 'write-haiku'])
    const text = `${await textAt(storage, 'skills/pr-triage/SKILL.md')}By hand.\n`
    unwrap(await hermes.skillStore().edit('pr-triage', text))
    expect(await hermes.undo(ids)).toMatchObject(CHANGED)
    expect(await textAt(storage, 'skills/pr-triage/SKILL.md')).toBe(text)
    for (const id of ids) unwrap(await hermes.undo(id))
    expect(await live()).toEqual(['idle', 'mine', 'pr-triage', 'rare', 'write-haiku'])
  })

  it('brings back one skill if it is asked for that one', async () => {
    const { hermes, run, live } = await open()
    const [first = ''] = await run()
    expect(unwrap(await hermes.undo([first])).steps).toMatchObject([{ kind: 'restore-skill', name: 'idle' }])
    expect(await live()).toEqual(['idle', 'mine'])
  })
})

describe('the undo of a rollback', () => {
  it('is refused if somebody has archived a skill since', async () => {
    const { hermes, live } = await open()
    const { id } = unwrap(await hermes.curator.backup())
    unwrap(await hermes.skillStore().edit('mine', skillText('mine', 'Another way.')))
    unwrap(await hermes.curator.rollback(id))
    const [record] = unwrap(await hermes.journal.list({ limit: 1 }))
    unwrap(await hermes.curator.archive('rare'))
    expect(await hermes.undo(record?.id)).toMatchObject(CHANGED)
    expect(await live()).toEqual(['idle', 'mine'])
    unwrap(await hermes.undo())
    unwrap(await hermes.undo(record?.id))
    expect(await live()).toEqual(['idle', 'mine', 'rare'])
  })
})
