/** `hermes.undo`: which writes it takes back, in one update, and why it refuses. What each kind of write comes back to is in the tests of the command line too. */
import { describe, expect, it } from 'vitest'
import { createHermes } from '../src/create-hermes.ts'
import { createHermesHomes } from '../src/create-hermes-homes.ts'
import { createPending } from '../src/journal/pending.ts'
import { fileSystemBackend } from '../src/storage/files/file-backend.ts'
import { inMemoryBackend } from '../src/storage/in-memory.ts'
import { updateDocument } from '../src/storage/one-document.ts'
import type { StorageBackend } from '../src/storage/storage-backend.ts'
import { temporaryFolder } from './storage/support/temporary-home.ts'
import { skillText, textAt, treeOf, unwrap } from './support/skill-library.ts'

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

  it('takes back texts that are too long for the journal, if they are still as written', async () => {
    const home = open()
    const { hermes, storage } = home
    const skills = hermes.skillStore()
    const long = (word: string): string => skillText('deploy', `${word} it.\n`.repeat(4_000))
    const now = () => textAt(storage, 'skills/deploy/SKILL.md')
    unwrap(await skills.create({ name: 'deploy', content: long('Do') }))
    unwrap(await skills.edit('deploy', long('Try')))
    await updateDocument(storage, 'skills/deploy/SKILL.md', () => new TextEncoder().encode(`${long('Try')}By hand.\n`))
    expect(await hermes.undo()).toMatchObject({ ok: false, error: { code: 'drift' } })
    await updateDocument(storage, 'skills/deploy/SKILL.md', () => new TextEncoder().encode(long('Try')))
    unwrap(await hermes.undo())
    expect(await now()).toBe(long('Do'))
    const [create] = await home.ids()
    unwrap(await hermes.undo(create))
    expect(await now()).toBeUndefined()
    unwrap(await hermes.undo())
    expect(await now()).toBe(long('Do'))
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

  it('keeps a copy of a memory file that it must not rewrite, and names it', async () => {
    const home = open(fileSystemBackend(temporaryFolder()))
    const { hermes, storage } = home
    unwrap(await hermes.memory.add('memory', 'one'))
    unwrap(await hermes.skillStore().create({ name: 'deploy', content: skillText('deploy') }))
    const ids = await home.ids()
    const damaged = `one\n§\n${'x'.repeat(3_000)}`
    await updateDocument(storage, 'memories/MEMORY.md', () => new TextEncoder().encode(damaged))
    const undone = await hermes.undo(ids)
    expect(undone).toMatchObject({ ok: false, error: { code: 'drift', details: { backupPath: expect.stringMatching(/^memories\//) } } })
    const path = undone.ok ? '' : String(undone.error.details['backupPath'])
    expect(await textAt(storage, path)).toBe(damaged)
    expect(await textAt(storage, 'skills/deploy/SKILL.md')).toBe(skillText('deploy'))
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
