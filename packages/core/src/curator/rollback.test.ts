import { manualClock } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { createSkillBackup, rollback } from '../../test/support/open-curator.ts'
import { libraryOf, remove, skillText, textAt, unwrap, write } from '../../test/support/skill-library.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { UsageStore } from '../usage/usage-store.ts'

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

  it('marks the skills that it archives as archived', async () => {
    const { storage, usage, backUp, goBack } = open()
    await write(storage, LIBRARY)
    await backUp()
    await write(storage, { 'skills/fresh/SKILL.md': skillText('fresh') })
    unwrap(await usage.record('fresh', 'create', { createdBy: 'agent' }))
    unwrap(await goBack())
    expect(await usage.get('fresh')).toMatchObject({ state: 'archived', createdBy: 'agent' })
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

  it('if the safety snapshot cannot be taken', async () => {
    const { error } = await attempt(async ({ storage, backUp }) => {
      await backUp()
      await write(storage, { 'skills/deploy/SKILL.md': 'x'.repeat(17 * 1024 * 1024) })
    })
    expect(error).toMatchObject({ code: 'over_limit', cause: { code: 'over_limit', details: error.details } })
    expect(error.details).not.toEqual({})
    expect(error.message).toContain('Nothing was rolled back')
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
