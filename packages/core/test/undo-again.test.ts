/** `hermes.undo` of what was undone, decided or changed meanwhile, and of several acts at once: each write is taken back once and whole, or nothing is. */
import { describe, expect, it } from 'vitest'
import { createHermes } from '../src/create-hermes.ts'
import { createPending } from '../src/journal/pending.ts'
import { fileSystemBackend } from '../src/storage/files/file-backend.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import { updateDocument } from '../src/storage/one-document.ts'
import type { StorageBackend } from '../src/storage/storage-backend.ts'
import { temporaryFolder } from './storage/support/temporary-home.ts'
import { skillText, textAt, treeOf, unwrap } from './support/skill-library.ts'

const NOW = Date.UTC(2026, 4, 23, 12)

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

  it('of a rejection is not undone again once the proposal was decided', async () => {
    const { hermes, storage, records, entries } = open()
    const proposals = [{ target: 'memory', op: { action: 'add', content: 'one' }, rationale: 'said', score: 0.9, evidence: [] }] as never
    const { id } = unwrap(await createPending({ storage, clock: () => NOW }).hold({ proposals, reason: 'A person decides.' }))
    unwrap(await hermes.pending.reject(id))
    const [rejection] = await records()
    unwrap(await hermes.undo(rejection?.id))
    expect(await hermes.undo(rejection?.id)).toMatchObject({ error: { code: 'rejected', message: expect.stringContaining('waits again') } })
    unwrap(await hermes.pending.approve(id))
    expect(await hermes.undo(rejection?.id)).toMatchObject({
      error: { code: 'rejected', message: expect.stringContaining('undone already') },
    })
    expect([await entries(), unwrap(await hermes.pending.list())]).toEqual([['one'], []])
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
  it('are undone in the order of the journal, whatever the order of the ids', async () => {
    const storage = inMemoryBackend()
    let ids = 0
    const hermes = createHermes({ storage, clock: () => NOW, createId: () => `id-${++ids}`, actor: 'person' })
    const skills = hermes.skillStore()
    unwrap(await skills.create({ name: 'deploy', content: skillText('deploy') }))
    unwrap(await skills.edit('deploy', skillText('deploy', 'Another way.')))
    unwrap(await skills.edit('deploy', skillText('deploy', 'A third way.')))
    expect(unwrap(await hermes.undo(['id-3', 'id-2'])).records.map(({ id }) => id)).toEqual(['id-2', 'id-3'])
    expect(await textAt(storage, 'skills/deploy/SKILL.md')).toBe(skillText('deploy'))
  })

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
