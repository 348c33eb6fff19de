import { manualClock } from '@hermes/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSkillBackup, rollback } from '../../test/support/open-curator.ts'
import { libraryOf, remove, skillText, textAt, unwrap, write } from '../../test/support/skill-library.ts'
import { manifestPath } from '../skills/archive.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { readStoredRecord } from '../usage/stored-record.ts'
import { encodeSidecar } from '../usage/usage-sidecar.ts'
import { UsageStore } from '../usage/usage-store.ts'
import { mergeUsage, planUsage } from './plan-rollback.ts'

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

  it('marks the skills that it archives as archived', async () => {
    const { storage, usage, backUp, goBack } = open()
    await write(storage, LIBRARY)
    await backUp()
    await write(storage, { 'skills/fresh/SKILL.md': skillText('fresh') })
    unwrap(await usage.record('fresh', 'create', { createdBy: 'agent' }))
    unwrap(await goBack())
    expect(await usage.get('fresh')).toMatchObject({ state: 'archived', createdBy: 'agent' })
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

/** A person or another program may move an archived skill without its manifest; a backup then holds a manifest that describes nothing. */
describe('rollback manifest', () => {
  const MINUTES = 60_000

  const open = async () => {
    const clock = manualClock(Date.UTC(2026, 4, 16, 10))
    const storage = inMemoryBackend()
    const skills = new SkillStore({ storage, clock })
    await write(storage, { 'skills/deploy/SKILL.md': skillText('deploy') })
    return {
      clock,
      storage,
      skills,
      archive: async (name: string) => {
        const archived = unwrap(await skills.archive(name, { reason: `archived at ${clock()}` }))
        clock.advance(5 * MINUTES)
        return archived
      },
      archived: async () => unwrap(await skills.listArchived()).entries,
      backUp: async () => {
        const { files } = unwrap(await createSkillBackup({ storage, clock, reason: 'manual' }))
        clock.advance(5 * MINUTES)
        return files.map(({ path }) => path)
      },
      goBack: async () => unwrap(await rollback({ storage, clock, target: '2026-05-16' })),
    }
  }

  const OF_TIDY = manifestPath('tidy')

  describe('a manifest in a backup without its folder', () => {
    it('does not replace the manifest of a skill that was archived since under the same name', async () => {
      const { storage, archive, archived, backUp, goBack } = await open()
      await write(storage, { 'skills/tidy/SKILL.md': skillText('tidy') })
      await archive('tidy')
      await remove(storage, 'skills/.archive/tidy/SKILL.md')
      expect(await backUp()).toEqual([OF_TIDY, 'skills/deploy/SKILL.md'])
      await write(storage, { 'skills/ops/tidy/SKILL.md': skillText('tidy', 'Another one.') })
      const another = await archive('tidy')
      expect(another).toMatchObject({ path: 'tidy', from: 'ops/tidy' })

      await goBack()

      expect(await archived()).toEqual([another])
    })
  })
})

const time = fc.option(
  fc.date({ min: new Date(0), max: new Date('2030-01-01'), noInvalidDate: true }).map((date) => date.toISOString()),
  { nil: null },
)

const stored = fc.record(
  {
    created_by: fc.constantFrom('agent', null, 'installed'),
    state: fc.constantFrom('active', 'stale', 'archived'),
    pinned: fc.boolean(),
    use_count: fc.nat(5),
    view_count: fc.nat(5),
    last_used_at: time,
    archived_at: time,
    created_at: time,
    sync: fc.string(),
  },
  { requiredKeys: [] },
)

const sidecar = fc
  .dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(stored, fc.constant('no record')))
  .map((map) => new Map(Object.entries(map)))

const textOf = (map: ReadonlyMap<string, unknown>): string => new TextDecoder().decode(encodeSidecar(map))

const meaningOf = (map: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> =>
  new Map([...map].map(([name, record]) => [name, readStoredRecord(record) ?? record]))

describe('the usage in the backup and now', () => {
  it('loses no record, no count, no pin and no unknown field, and takes the state from the backup', () => {
    const then = new Map<string, unknown>([
      ['deploy', { state: 'active', pinned: false, created_by: 'agent', use_count: 3, last_used_at: '2026-05-01T00:00:00+00:00', old: 1 }],
      ['gone', { state: 'stale', use_count: 1 }],
    ])
    const now = new Map<string, unknown>([
      [
        'deploy',
        {
          state: 'archived',
          archived_at: '2026-05-09T00:00:00+00:00',
          pinned: true,
          created_by: null,
          use_count: 5,
          last_used_at: '2026-05-08T00:00:00+00:00',
          misjudgements: 2,
          new: 2,
        },
      ],
      ['fresh', { state: 'active', use_count: 7 }],
    ])
    expect(JSON.parse(textOf(mergeUsage(then, now)))).toMatchObject({
      deploy: {
        state: 'active',
        archived_at: null,
        pinned: true,
        created_by: 'agent',
        use_count: 5,
        last_used_at: '2026-05-08T00:00:00+00:00',
        misjudgements: 2,
        old: 1,
        new: 2,
      },
      gone: { state: 'stale', use_count: 1 },
      fresh: { state: 'active', use_count: 7 },
    })
  })

  const COUNTS = ['use_count', 'view_count', 'patch_count', 'patch_generation', 'last_reused_patch_generation']
  const OWN_COUNTS = ['misjudgements', 'success_count', 'correction_count']
  const TIMES = ['last_used_at', 'last_viewed_at', 'last_patched_at', 'restored_at']
  const merged = (then: unknown, now: unknown) =>
    JSON.parse(textOf(mergeUsage(new Map([['deploy', then]]), new Map([['deploy', now]])))).deploy
  const all = (keys: readonly string[], value: unknown) => Object.fromEntries(keys.map((key) => [key, value]))

  it('keeps the higher of two counts and the later of two times, whichever side has it', () => {
    const low = { ...all([...COUNTS, ...OWN_COUNTS], 1), ...all(TIMES, '2026-05-01T00:00:00+00:00') }
    const high = { ...all([...COUNTS, ...OWN_COUNTS], 2), ...all(TIMES, '2026-05-02T00:00:00+00:00') }
    expect(merged(low, high)).toMatchObject(high)
    expect(merged(high, low)).toMatchObject(high)
  })

  it('takes any time for later than none, and keeps the time of creation of the backup if it knows one', () => {
    const old = all([...TIMES, 'created_at'], '1960-01-01T00:00:00+00:00')
    const never = all([...TIMES, 'created_at'], null)
    expect(merged(old, never)).toMatchObject(old)
    expect(merged(never, old)).toMatchObject(old)
    expect(merged(old, { created_at: '2026-05-02T00:00:00+00:00' })).toMatchObject({ created_at: '1960-01-01T00:00:00+00:00' })
  })

  it('keeps what is there now of a record that the backup did not understand', () => {
    expect(merged('then', 'now')).toBe('now')
    expect(merged('then', { use_count: 1 })).toMatchObject({ use_count: 1 })
    expect(merged({ use_count: 1 }, 'now')).toMatchObject({ use_count: 1 })
  })

  it('merged twice are as merged once', () => {
    fc.assert(
      fc.property(sidecar, sidecar, (then, now) => {
        const once = mergeUsage(then, now)
        expect(meaningOf(mergeUsage(then, once))).toEqual(meaningOf(once))
      }),
      { seed: 4 },
    )
  })
})

it('leaves out a corrupt sidecar of the backup, and says why', () => {
  const now = { bytes: new TextEncoder().encode('{"deploy":{"use_count":1}}') }
  expect(planUsage(now, new TextEncoder().encode('{'), new Set(), 0)).toMatchObject({
    bytes: undefined,
    problem: { code: 'unreadable', cause: { code: 'unreadable' } },
  })
})
