import { manualClock } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { createSkillBackup, rollback } from '../../test/support/open-curator.ts'
import { libraryOf, remove, skillText, textAt, treeOf, unwrap, write } from '../../test/support/skill-library.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { UsageStore } from '../usage/usage-store.ts'
import { listBackups } from './backups.ts'

const START = Date.UTC(2026, 4, 16, 10)

const open = () => {
  const clock = manualClock(START)
  const storage = inMemoryBackend()
  const backUp = async () => unwrap(await createSkillBackup({ storage, clock, reason: 'manual' }))
  const goBack = async (target?: string) => {
    clock.advance(60_000)
    return rollback({ storage, clock, target })
  }
  return { clock, storage, backUp, goBack, store: new SkillStore({ storage, clock }), usage: new UsageStore({ storage, clock }) }
}

const LIBRARY = {
  'skills/deploy/SKILL.md': skillText('deploy'),
  'skills/deploy/references/hosts.md': 'one, two',
  'skills/ops/backup/SKILL.md': skillText('backup'),
  'skills/.bundled_manifest': 'backup:abc\n',
}

describe('a rollback', () => {
  it('gives back changed, lost and added files as they were, byte for byte', async () => {
    const { storage, backUp, goBack } = open()
    await write(storage, LIBRARY)
    const { id } = await backUp()
    await write(storage, { 'skills/deploy/SKILL.md': skillText('deploy', 'Worse.'), 'skills/deploy/references/new.md': 'new' })
    await remove(storage, 'skills/ops/backup/SKILL.md')

    const report = unwrap(await goBack())

    expect(await libraryOf(storage)).toEqual(LIBRARY)
    expect(report).toMatchObject({ id, restored: ['skills/deploy/SKILL.md', 'skills/ops/backup/SKILL.md'], archived: [], problems: [] })
    const [aside] = report.setAside
    expect(aside).toEqual({
      from: 'skills/deploy/references/new.md',
      to: 'curator/backups/.replaced/2026-05-16T10-01-00Z/deploy/references/new.md',
    })
    expect(await textAt(storage, aside?.to ?? '')).toBe('new')
  })

  it('keeps apart what two rollbacks within one second set aside', async () => {
    const { storage, clock, backUp } = open()
    await write(storage, LIBRARY)
    await backUp()
    const added = ['skills/deploy/notes', 'skills/deploy/notes/today.md']
    const moved: unknown[] = []
    for (const path of added) {
      await write(storage, { [path]: `of ${path}` })
      clock.advance(100)
      const { setAside, problems } = unwrap(await rollback({ storage, clock, target: '2026-05-16T10-00-00Z' }))
      expect([await libraryOf(storage), problems]).toEqual([LIBRARY, []])
      moved.push(...setAside)
    }
    expect(moved).toEqual([
      { from: added[0], to: 'curator/backups/.replaced/2026-05-16T10-00-00Z-2/deploy/notes' },
      { from: added[1], to: 'curator/backups/.replaced/2026-05-16T10-00-00Z-3/deploy/notes/today.md' },
    ])
  })

  it('gives scripts their right to run back, those that were removed, changed or only lost it', async () => {
    const { storage, backUp, goBack } = open()
    await write(storage, LIBRARY)
    const script = new TextEncoder().encode('echo')
    const scripts = ['gone.sh', 'changed.sh', 'mode-lost.sh'].map((name) => `skills/deploy/scripts/${name}`)
    for (const path of scripts) unwrap(await updateDocument(storage, path, () => ({ bytes: script, executable: true })))
    const { files } = await backUp()
    expect(files.filter(({ executable }) => executable).map(({ path }) => path)).toEqual([...scripts].sort())
    const [gone = '', changed = '', modeLost = ''] = scripts
    await remove(storage, gone)
    await write(storage, { [changed]: 'echo worse' })
    unwrap(await updateDocument(storage, modeLost, () => ({ bytes: script, executable: false })))
    unwrap(await goBack())
    for (const path of scripts) expect(unwrap(await readDocument(storage, path))).toMatchObject({ bytes: script, executable: true })
    expect(unwrap(await readDocument(storage, 'skills/deploy/SKILL.md'))?.executable ?? false).toBe(false)
  })

  it('moves skills that the backup does not have to the archive, where they can be restored from', async () => {
    const { storage, store, backUp, goBack } = open()
    await write(storage, LIBRARY)
    const { id } = await backUp()
    await write(storage, { 'skills/ops/fresh/SKILL.md': skillText('fresh'), 'skills/ops/fresh/scripts/run.sh': 'echo' })

    unwrap(await goBack())

    const { entries } = unwrap(await store.listArchived())
    expect(entries).toMatchObject([{ name: 'fresh', from: 'ops/fresh', reason: `rolled back to ${id}` }])
    unwrap(await store.restore('fresh'))
    expect(await libraryOf(storage)).toMatchObject({ ...LIBRARY, 'skills/ops/fresh/scripts/run.sh': 'echo' })
  })

  it('brings skills that were archived since back to their places, and leaves no twin of theirs in the archive', async () => {
    const { storage, store, backUp, goBack } = open()
    await write(storage, LIBRARY)
    await backUp()
    unwrap(await store.archive('backup', { reason: 'unused' }))

    const report = unwrap(await goBack())

    expect(unwrap(await store.listArchived()).entries).toEqual([])
    expect(await libraryOf(storage)).toEqual(LIBRARY)
    expect(report.setAside.map(({ from }) => from)).toEqual(['skills/.archive/backup'])
    expect(await textAt(storage, `${report.setAside[0]?.to}/SKILL.md`)).toBe(skillText('backup'))
  })

  it('takes all entries whose skills are back out of the archive', async () => {
    const { storage, store, backUp, goBack } = open()
    await write(storage, LIBRARY)
    await backUp()
    for (const name of ['backup', 'deploy']) unwrap(await store.archive(name, { reason: 'unused' }))
    unwrap(await goBack())
    expect(await libraryOf(storage)).toEqual(LIBRARY)
  })

  it('leaves what the backup had no room for where it is, and archives the rest of its skill', async () => {
    const { storage, clock, goBack } = open()
    await write(storage, { ...LIBRARY, 'skills/large/assets/big': 'x'.repeat(2_000) })
    unwrap(await createSkillBackup({ storage, clock, reason: 'manual', maxFileBytes: 1_000 }))
    await write(storage, { 'skills/large/SKILL.md': skillText('large') })
    expect(unwrap(await goBack()).archived).toEqual([
      { from: 'skills/large/SKILL.md', to: 'skills/.archive/large-20260516100100/SKILL.md' },
    ])
    expect(await textAt(storage, 'skills/large/assets/big')).toHaveLength(2_000)
  })

  it('archives no skill twice on the way there and back', async () => {
    const { storage, store, backUp, goBack } = open()
    await write(storage, LIBRARY)
    await backUp()
    unwrap(await store.archive('backup', { reason: 'unused' }))
    const archived = unwrap(await store.listArchived()).entries
    unwrap(await goBack())
    expect(unwrap(await store.listArchived()).entries).toEqual([])

    const report = unwrap(await goBack())

    expect(unwrap(await store.listArchived()).entries).toEqual(archived)
    expect(report).toMatchObject({ archived: [], problems: [] })
    expect(report.setAside.map(({ from }) => from)).toEqual(['skills/ops/backup'])
    expect(await textAt(storage, `${report.setAside[0]?.to}/SKILL.md`)).toBe(skillText('backup'))
    expect(unwrap(await store.list()).skills.map(({ name }) => name)).toEqual(['deploy'])
    unwrap(await store.restore('backup'))
    expect(await libraryOf(storage)).toMatchObject(LIBRARY)
  })

  it.each([
    ['another text', 'skills/ops/backup/SKILL.md', skillText('backup', 'Better.')],
    ['one file more', 'skills/ops/backup/references/new.md', 'new'],
    ['one file less', 'skills/ops/backup/a.md', undefined],
    ['the bytes of one file', 'skills/ops/backup/a.md', 'new'],
  ])('archives a skill beside an archived one that differs by %s', async (_what, path, text) => {
    const { storage, store, backUp, goBack } = open()
    await write(storage, { ...LIBRARY, 'skills/ops/backup/a.md': 'old' })
    await backUp()
    unwrap(await store.archive('backup', { reason: 'unused' }))
    unwrap(await goBack())
    unwrap(await updateDocument(storage, path, () => (text === undefined ? undefined : new TextEncoder().encode(text))))

    const report = unwrap(await goBack())

    expect(unwrap(await store.listArchived()).entries).toHaveLength(2)
    expect(await textAt(storage, `${report.archived[0]?.to}/${path.slice('skills/ops/backup/'.length)}`)).toBe(text)
  })

  it('leaves in the archive what was created and archived since', async () => {
    const { storage, store, backUp, goBack } = open()
    await write(storage, LIBRARY)
    await backUp()
    await write(storage, { 'skills/late/SKILL.md': skillText('late') })
    unwrap(await store.archive('late', { reason: 'unused' }))
    await write(storage, { 'skills/.archive/backup/notes.md': 'not a skill, for all its name' })
    unwrap(await goBack())
    expect(unwrap(await store.listArchived()).entries).toMatchObject([{ name: 'late', reason: 'unused' }])
    expect(await textAt(storage, 'skills/.archive/backup/notes.md')).toBe('not a skill, for all its name')
  })

  it('puts a skill that was restored since into the archive again', async () => {
    const { storage, store, backUp, goBack } = open()
    await write(storage, LIBRARY)
    unwrap(await store.archive('backup', { reason: 'unused' }))
    const then = await libraryOf(storage)
    await backUp()
    unwrap(await store.restore('backup'))
    unwrap(await goBack())
    expect(await libraryOf(storage)).toMatchObject(then)
    expect(await textAt(storage, 'skills/ops/backup/SKILL.md')).toBeUndefined()
  })

  it('keeps counters, newer activity and pins, and takes states and marks from the backup', async () => {
    const { storage, usage, clock, backUp, goBack } = open()
    await write(storage, LIBRARY)
    unwrap(await usage.record('deploy', 'create', { createdBy: 'agent' }))
    unwrap(await usage.record('deploy', 'use'))
    await backUp()
    clock.advance(1000)
    unwrap(await usage.record('deploy', 'use'))
    unwrap(await usage.setState('deploy', 'archived'))
    unwrap(await usage.pin('deploy'))
    unwrap(await usage.record('other', 'view'))

    unwrap(await goBack())

    const records = unwrap(await usage.load())
    expect(records.get('deploy')).toMatchObject({
      state: 'active',
      archivedAt: 0,
      createdBy: 'agent',
      pinned: true,
      useCount: 2,
      lastUsedAt: START + 1000,
    })
    expect(records.get('other')).toMatchObject({ viewCount: 1 })
  })

  it('marks the skills that it archives as archived', async () => {
    const { storage, usage, backUp, goBack } = open()
    await write(storage, LIBRARY)
    await backUp()
    await write(storage, { 'skills/fresh/SKILL.md': skillText('fresh') })
    unwrap(await usage.record('fresh', 'create', { createdBy: 'agent' }))
    unwrap(await goBack())
    expect(await usage.get('fresh')).toMatchObject({ state: 'archived', createdBy: 'agent' })
  })

  it('archives a skill although its twin leaves the archive in the same rollback', async () => {
    const { storage, store, backUp, goBack } = open()
    await write(storage, { ...LIBRARY, 'skills/ops/first/SKILL.md': skillText('tidy') })
    await backUp()
    await remove(storage, 'skills/ops/first/SKILL.md')
    const second = { 'skills/ops/second/SKILL.md': skillText('tidy', 'Second.') }
    await write(storage, second)
    unwrap(await store.archive('tidy', { reason: 'unused' }))
    await write(storage, second)
    const report = unwrap(await goBack())
    expect(report).toMatchObject({ archived: [{ from: 'skills/ops/second' }], setAside: [{ from: 'skills/.archive/second' }] })
    expect(await textAt(storage, `${report.archived[0]?.to}/SKILL.md`)).toBe(skillText('tidy', 'Second.'))
  })

  it('marks no skill as archived that is in another place of the library', async () => {
    const { storage, usage, backUp, goBack } = open()
    await write(storage, { ...LIBRARY, 'skills/ops/first/SKILL.md': skillText('tidy') })
    unwrap(await usage.record('tidy', 'create', { createdBy: 'agent' }))
    await backUp()
    await remove(storage, 'skills/ops/first/SKILL.md')
    await write(storage, { 'skills/ops/second/SKILL.md': skillText('tidy', 'Moved.') })
    expect(unwrap(await goBack()).archived.map(({ from }) => from)).toEqual(['skills/ops/second'])
    expect(await usage.get('tidy')).toMatchObject({ state: 'active' })
  })

  it('knows a skill by the name in its front matter, and by its folder if it has none', async () => {
    const { storage, store, usage, backUp, goBack } = open()
    await write(storage, { ...LIBRARY, 'skills/ops/first/SKILL.md': skillText('tidy') })
    await backUp()
    await remove(storage, 'skills/ops/first/SKILL.md')
    await write(storage, { 'skills/ops/second/SKILL.md': skillText('tidy') })
    unwrap(await store.archive('tidy', { reason: 'unused' }))
    await write(storage, { 'skills/folder/SKILL.md': skillText('fresh'), 'skills/plain/SKILL.md': 'Without a name.' })
    for (const name of ['fresh', 'plain']) unwrap(await usage.record(name, 'create', { createdBy: 'agent' }))

    unwrap(await goBack())

    for (const name of ['fresh', 'plain']) expect(await usage.get(name)).toMatchObject({ state: 'archived' })
    // A second skill of that name would be in its way.
    expect(
      unwrap(await store.listArchived())
        .entries.map(({ name }) => name)
        .sort(),
    ).toEqual(['fresh', 'plain'])
  })

  it('leaves the scheduler and the ledger as they are now, and brings them back only if they are gone', async () => {
    const { storage, backUp, goBack } = open()
    const then = { 'skills/.curator_state': '{"paused":false}', 'skills/.curator_ledger.jsonl': '{"then":1}\n' }
    await write(storage, { ...LIBRARY, ...then })
    await backUp()
    await write(storage, { 'skills/.curator_state': '{"paused":true}' })
    await remove(storage, 'skills/.curator_ledger.jsonl')
    unwrap(await goBack())
    expect(await libraryOf(storage)).toEqual({
      ...LIBRARY,
      'skills/.curator_state': '{"paused":true}',
      'skills/.curator_ledger.jsonl': '{"then":1}\n',
    })
  })

  it('touches nothing outside the skills, such as grants, days of use and pending merges', async () => {
    const { storage, backUp, goBack } = open()
    await write(storage, { ...LIBRARY, 'curator/managed.json': '{"grants":[]}' })
    await backUp()
    await write(storage, { 'curator/managed.json': '{"grants":[{"all":true,"allow":["stale"]}]}', 'curator/active-days.json': '{}' })
    unwrap(await goBack())
    expect(await textAt(storage, 'curator/managed.json')).toBe('{"grants":[{"all":true,"allow":["stale"]}]}')
    expect(await textAt(storage, 'curator/active-days.json')).toBe('{}')
  })

  it('replaces a sidecar that is corrupt now by the one in the backup, and keeps the corrupt one', async () => {
    const { storage, usage, backUp, goBack } = open()
    await write(storage, LIBRARY)
    unwrap(await usage.pin('deploy'))
    await backUp()
    await write(storage, { 'skills/.usage.json': '{broken' })
    unwrap(await goBack())
    expect(unwrap(await usage.load()).get('deploy')).toMatchObject({ pinned: true })
    expect(await textAt(storage, 'curator/backups/.replaced/2026-05-16T10-01-00Z/.usage.json')).toBe('{broken')
  })

  it('keeps the sidecar as it is now if that in the backup is corrupt, and says so', async () => {
    const { storage, usage, backUp, goBack } = open()
    await write(storage, { ...LIBRARY, 'skills/.usage.json': '{broken' })
    await backUp()
    await remove(storage, 'skills/.usage.json')
    unwrap(await usage.pin('deploy'))
    expect(unwrap(await goBack()).problems).toMatchObject([{ code: 'unreadable' }])
    expect(unwrap(await usage.load()).get('deploy')).toMatchObject({ pinned: true })
  })

  it('can itself be rolled back, since what was there before is a backup', async () => {
    const { storage, backUp, goBack } = open()
    await write(storage, LIBRARY)
    const { id } = await backUp()
    await write(storage, { 'skills/deploy/SKILL.md': skillText('deploy', 'Better.') })
    const report = unwrap(await goBack(id))
    const [newest] = unwrap(await listBackups(storage)).backups
    expect(newest).toMatchObject({ id: report.safetyId, reason: `pre-rollback to ${id}` })
    unwrap(await goBack(report.safetyId))
    expect(await textAt(storage, 'skills/deploy/SKILL.md')).toBe(skillText('deploy', 'Better.'))
  })

  it('puts a document back where a folder is now, and a folder where a document is', async () => {
    const { storage, backUp, goBack } = open()
    const then = { ...LIBRARY, 'skills/notes': 'a document', 'skills/things/list.md': 'a list' }
    await write(storage, then)
    await backUp()
    await remove(storage, 'skills/notes', 'skills/things/list.md')
    await write(storage, { 'skills/notes/SKILL.md': skillText('notes'), 'skills/things': 'now a document' })
    const report = unwrap(await goBack())
    expect(await libraryOf(storage)).toMatchObject(then)
    expect(report.archived.map(({ from }) => from)).toEqual(['skills/notes'])
    expect(report.setAside.map(({ from }) => from)).toEqual(['skills/things'])
  })

  it('archives the files of a new skill one by one if a skill of the backup is inside it', async () => {
    const { storage, store, backUp, goBack } = open()
    await write(storage, LIBRARY)
    await backUp()
    await write(storage, { 'skills/ops/SKILL.md': skillText('ops') })
    unwrap(await goBack())
    expect(await textAt(storage, 'skills/ops/backup/SKILL.md')).toBe(skillText('backup'))
    expect(await textAt(storage, 'skills/ops/SKILL.md')).toBeUndefined()
    expect(unwrap(await store.listArchived()).entries).toMatchObject([{ name: 'ops' }])
  })

  it('archives a new skill inside another new one apart, each with what is known of it', async () => {
    const { storage, store, backUp, goBack } = open()
    await write(storage, LIBRARY)
    const { id } = await backUp()
    await write(storage, { 'skills/new/SKILL.md': skillText('new'), 'skills/new/inner/SKILL.md': skillText('inner') })
    unwrap(await goBack())
    const reason = `rolled back to ${id}`
    const { entries } = unwrap(await store.listArchived())
    expect(entries.map(({ name, from, reason: why }) => [name, from, why]).sort()).toEqual([
      ['inner', 'new/inner', reason],
      ['new', 'new', reason],
    ])
  })

  it('looks at the library as often for forty new skills as for four', async () => {
    const listings = async (count: number): Promise<number> => {
      const { clock, storage, backUp } = open()
      await write(storage, LIBRARY)
      await backUp()
      const fresh = Array.from({ length: count }, (_, index) => `fresh-${index}`)
      await write(storage, Object.fromEntries(fresh.map((name) => [`skills/ops/${name}/SKILL.md`, skillText(name)])))
      let listed = 0
      const counted: StorageBackend = {
        ...storage,
        list: (prefix) => {
          listed++
          return storage.list(prefix)
        },
      }
      expect(unwrap(await rollback({ storage: counted, clock })).archived).toHaveLength(count)
      return listed
    }
    expect(await listings(40)).toBe(await listings(4))
  })

  it('never touches other snapshots, the hub, version control, caches or corrupt sidecars kept aside', async () => {
    const { storage, backUp, goBack } = open()
    const others = {
      'skills/.curator_backups/2026-05-01T00-00-00Z/skills.tar.gz': 'theirs',
      'skills/.hub/lock.json': '{}',
      'skills/.git/HEAD': 'ref',
      'skills/deploy/node_modules/x/index.js': 'x',
      'skills/.usage-corrupt/1.json': '{',
    }
    await write(storage, LIBRARY)
    await backUp()
    await write(storage, others)
    unwrap(await goBack())
    expect(await libraryOf(storage)).toEqual({ ...LIBRARY, ...others })
  })
})

describe('a rollback is refused with nothing moved', () => {
  const attempt = async (prepare: (world: ReturnType<typeof open>) => Promise<unknown>, target?: string) => {
    const world = open()
    await write(world.storage, LIBRARY)
    await prepare(world)
    const before = await libraryOf(world.storage)
    const refused = await world.goBack(target)
    expect(await libraryOf(world.storage)).toEqual(before)
    if (refused.ok) throw new Error('The rollback was not refused.')
    return { error: refused.error, world }
  }

  it('if there is no backup', async () => {
    const { error } = await attempt(async () => undefined)
    expect(error.code).toBe('not_found')
  })

  it('if the day or id is not known, naming what there is', async () => {
    const { error } = await attempt(({ backUp }) => backUp(), '2026-05-17')
    expect(error).toMatchObject({ code: 'not_found', details: { candidates: ['2026-05-16T10-00-00Z'] } })
    expect(error.message).toContain('2026-05-16T10-00-00Z (manual)')
  })

  it('if the backup that is meant is broken, saying so', async () => {
    for (const target of ['2026-05-16T10-00-00Z', ' 2026-05-16 ', undefined]) {
      const { error } = await attempt(async ({ storage, backUp }) => {
        const { archive } = await backUp()
        await write(storage, { [archive]: 'cut off' })
      }, target)
      expect(error).toMatchObject({ code: 'unreadable', details: { id: '2026-05-16T10-00-00Z' } })
    }
  })

  it('if another one is broken than is meant', async () => {
    const { error } = await attempt(async ({ storage, backUp }) => {
      const { archive } = await backUp()
      await write(storage, { [archive]: 'cut off' })
    }, '2026-05-17')
    expect(error.code).toBe('not_found')
  })

  it('if the safety snapshot cannot be taken', async () => {
    const { error } = await attempt(async ({ storage, backUp }) => {
      await backUp()
      await write(storage, { 'skills/deploy/SKILL.md': 'x'.repeat(17 * 1024 * 1024) })
    })
    expect(error).toMatchObject({ code: 'over_limit', cause: { code: 'over_limit', details: error.details } })
    expect(error.details).not.toEqual({})
    expect(error.message).toContain('Nothing was rolled back')
  })

  it('fails if something in the way is not for it to move', async () => {
    const { error } = await attempt(async ({ storage, backUp }) => {
      await write(storage, { 'skills/tool': 'a document' })
      await backUp()
      await remove(storage, 'skills/tool')
      await write(storage, { 'skills/tool/node_modules/x.js': 'x' })
    })
    expect(error).toMatchObject({ code: 'occupied', details: { paths: ['skills/tool/node_modules/x.js'] } })
  })
})

describe('a rollback among other writers', () => {
  it('begins again if another program writes after the snapshot, so that both texts are kept', async () => {
    const { storage, clock, backUp } = open()
    await write(storage, LIBRARY)
    await backUp()
    await write(storage, { 'skills/deploy/SKILL.md': skillText('deploy', 'Seen.') })
    let isWritten = false
    const busy: StorageBackend = {
      ...storage,
      update: async (paths, plan, options) => {
        if (paths.includes('curator/backups/') && !isWritten) {
          isWritten = true
          await write(storage, { 'skills/deploy/SKILL.md': skillText('deploy', 'Unseen.') })
        }
        return storage.update(paths, plan, options)
      },
    }
    clock.advance(60_000)
    const { safetyId } = unwrap(await rollback({ storage: busy, clock }))
    expect(isWritten).toBe(true)
    expect(await libraryOf(storage)).toEqual(LIBRARY)
    unwrap(await rollback({ storage, clock, target: safetyId }))
    expect(await textAt(storage, 'skills/deploy/SKILL.md')).toBe(skillText('deploy', 'Unseen.'))
  })

  it('keeps what is used meanwhile', async () => {
    const { storage, clock, usage, backUp } = open()
    await write(storage, LIBRARY)
    unwrap(await usage.record('deploy', 'create', { createdBy: 'agent' }))
    await backUp()
    const busy: StorageBackend = {
      ...storage,
      update: async (paths, plan, options) => {
        if (paths.includes('curator/backups/')) unwrap(await usage.record('deploy', 'use'))
        return storage.update(paths, plan, options)
      },
    }
    clock.advance(60_000)
    unwrap(await rollback({ storage: busy, clock }))
    expect(await usage.get('deploy')).toMatchObject({ useCount: 1 })
  })

  it('does not bring back what was erased from the backup meanwhile', async () => {
    const { storage, clock, backUp } = open()
    await write(storage, { ...LIBRARY, 'skills/deploy/references/hosts.md': 'a secret host' })
    const { archive, id } = await backUp()
    await write(storage, LIBRARY)
    const erased = open()
    await write(erased.storage, { ...LIBRARY, 'skills/deploy/references/hosts.md': 'erased' })
    expect((await erased.backUp()).id).toBe(id)
    let isErased = false
    const busy: StorageBackend = {
      ...storage,
      update: async (paths, plan, options) => {
        if (paths.includes('curator/backups/') && !isErased) {
          isErased = true
          for (const path of [archive, archive.replace('.tar.gz', '.json')]) {
            const bytes = unwrap(await readDocument(erased.storage, path))?.bytes
            unwrap(await updateDocument(storage, path, () => bytes))
          }
        }
        return storage.update(paths, plan, options)
      },
    }
    clock.advance(60_000)
    unwrap(await rollback({ storage: busy, clock }))
    expect(isErased).toBe(true)
    expect(await textAt(storage, 'skills/deploy/references/hosts.md')).toBe('erased')
  })

  it('starts again if the file of a skill whose name begins with a dot changes meanwhile', async () => {
    const { storage, clock, backUp } = open()
    const path = 'skills/deploy/scripts/.env'
    await write(storage, { ...LIBRARY, [path]: 'then' })
    await backUp()
    await write(storage, { [path]: 'seen' })
    let isWritten = false
    const busy: StorageBackend = {
      ...storage,
      update: async (paths, plan, options) => {
        if (paths.includes('curator/backups/') && !isWritten) {
          isWritten = true
          await write(storage, { [path]: 'unseen' })
        }
        return storage.update(paths, plan, options)
      },
    }
    clock.advance(60_000)
    const { safetyId } = unwrap(await rollback({ storage: busy, clock }))
    expect(await textAt(storage, path)).toBe('then')
    unwrap(await rollback({ storage, clock, target: safetyId }))
    expect(await textAt(storage, path)).toBe('unseen')
  })

  it('changes nothing at all if the storage refuses the update', async () => {
    const { storage, clock, backUp } = open()
    await write(storage, LIBRARY)
    await backUp()
    await write(storage, { 'skills/fresh/SKILL.md': skillText('fresh') })
    const before = await treeOf(storage)
    const full: StorageBackend = { ...storage, update: async () => err(new HermesError('no_space', 'The disk is full.')) }
    expect(await rollback({ storage: full, clock })).toMatchObject({ ok: false, error: { code: 'no_space' } })
    expect(await treeOf(storage)).toEqual(before)
  })

  it('keeps a copy of what it replaces and the snapshot could not hold', async () => {
    const { storage, clock, backUp } = open()
    await write(storage, { ...LIBRARY, 'skills/deploy/assets/big': 'then' })
    await backUp()
    await write(storage, { 'skills/deploy/assets/big': 'x'.repeat(2_000) })
    clock.advance(60_000)
    const { safetyId } = unwrap(await rollback({ storage, clock, maxFileBytes: 1_000 }))
    expect(await textAt(storage, 'skills/deploy/assets/big')).toBe('then')
    expect(await textAt(storage, `curator/backups/.replaced/${safetyId}/deploy/assets/big`)).toHaveLength(2_000)
  })
})
