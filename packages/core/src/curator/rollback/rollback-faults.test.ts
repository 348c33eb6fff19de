/** The storage fails once, at each call of a rollback in turn. */

import { describe, expect, it } from 'vitest'
import { IS_LONG_RUN } from '../../../../../scripts/support/rounds.ts'
import { movedFrom, nameOfUpdate } from '../../../test/support/calls.ts'
import { libraryOf, remove, skillText, textAt, treeOf, unwrap, write } from '../../../test/support/skill-library.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err } from '../../shared/result.ts'
import { SkillStore } from '../../skills/skill-store.ts'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { UsageStore } from '../../usage/usage-store.ts'
import { REPLACED_FOLDER } from '../backup/backup-scope.ts'
import { createSkillBackup } from '../backup/skill-backup.ts'
import { beginRun, readUnfinishedRuns } from '../run-journal/run-journal.ts'
import { CURATOR_LEASE_PATH } from '../schedule/curator-lease.ts'
import { rollback } from './rollback.ts'
import { type RollbackRecovery, recoverRollback } from './rollback-recover.ts'
import { ROLLBACK_STATE_PATH, readRollbackState } from './rollback-state.ts'

const START = Date.UTC(2026, 4, 16, 10)

/** Fails one call, the one of this number, and remembers all of them. */
const failingOnce = (inner: StorageBackend, failing: number) => {
  const calls: string[] = []
  const call = <T>(name: string, work: () => Promise<T>) => {
    calls.push(name)
    return calls.length - 1 === failing ? Promise.resolve(err(new HermesError('io', 'EIO: i/o error'))) : work()
  }
  const storage: StorageBackend = {
    ...inner,
    read: (paths) => call(`read ${paths}`, () => inner.read(paths)),
    list: (path) => call(`list ${path}`, () => inner.list(path)),
    update: (paths, plan, options) => call(nameOfUpdate(paths), () => inner.update(paths, plan, options)),
  }
  return { storage, calls }
}

const THEN = {
  'skills/deploy/SKILL.md': skillText('deploy', 'Then.'),
  'skills/ops/backup/SKILL.md': skillText('backup', 'Then.'),
  'skills/ops/clean/SKILL.md': skillText('clean', 'Then.'),
  'skills/things/list.md': 'a folder then',
}

const world = async () => {
  const clock = manualClock(START)
  const storage = inMemoryBackend()
  const usage = new UsageStore({ storage, clock })
  await write(storage, THEN)
  unwrap(await usage.pin('deploy'))
  unwrap(await usage.record('clean', 'create'))
  const { id, archive } = unwrap(await createSkillBackup({ storage, clock, reason: 'manual' }))
  const skills = new SkillStore({ storage, clock })
  await write(storage, { 'skills/fresh/SKILL.md': skillText('fresh'), 'skills/deploy/SKILL.md': skillText('deploy', 'Now.') })
  unwrap(await skills.archive('backup', { reason: 'unused' }))
  await remove(storage, 'skills/ops/clean/SKILL.md', 'skills/things/list.md')
  await write(storage, { 'skills/things': 'a document now' })
  await write(storage, { 'skills/notes.md': 'notes' })
  unwrap(await usage.record('fresh', 'create'))
  unwrap(await beginRun(storage, { runId: 'run-1', startedAt: START, planned: [] }))
  clock.advance(60_000)
  return { clock, storage, usage, skills, id, archive }
}

type World = Awaited<ReturnType<typeof world>>

const skillsOf = (tree: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(tree).filter(([path]) => !/^skills\/\.(?:usage\.json|archive\/)/.test(path)))

const expectThen = async ({ storage, skills, usage }: World): Promise<void> => {
  expect(skillsOf(await libraryOf(storage))).toEqual(THEN)
  expect(unwrap(await skills.listArchived()).entries.map(({ name }) => name)).toEqual(['fresh'])
  expect(await usage.get('deploy')).toMatchObject({ pinned: true })
  expect(await usage.get('fresh')).toMatchObject({ state: 'archived' })
}

const expectNothingOpen = async ({ storage }: World): Promise<void> => {
  expect(await textAt(storage, ROLLBACK_STATE_PATH)).toBeUndefined()
  expect(await treeOf(storage, 'curator/backups/.staging')).toEqual({})
  expect(await textAt(storage, CURATOR_LEASE_PATH)).toBeUndefined()
}

interface Attempt {
  readonly prepare?: (world: World) => Promise<unknown>
  readonly work: (storage: StorageBackend, world: World) => Promise<{ readonly ok: boolean }>
  readonly check: (world: World, isOk: boolean) => Promise<void>
}

/** Repeats the work in a new world, each time with another failing call; returns those with which it succeeded all the same. */
const failEach = async ({ prepare, work, check }: Attempt): Promise<readonly string[]> => {
  const unnoticed: string[] = []
  for (let failing = 0; ; failing++) {
    const each = await world()
    await prepare?.(each)
    const { storage, calls } = failingOnce(each.storage, failing)
    const { ok } = await work(storage, each)
    await check(each, ok)
    const failed = calls[failing]
    if (failed === undefined) return unnoticed
    if (ok) unnoticed.push(failed)
  }
}

/** The process dies before it moves this. */
const interrupt = async ({ storage, clock, id }: World, at = 'skills/fresh'): Promise<void> => {
  const dies: StorageBackend = {
    ...storage,
    update: async (paths, plan, options) =>
      // A skill is archived in one update of the library, or moved as a folder.
      movedFrom(paths) === at || (at === 'skills/fresh' && movedFrom(paths) === 'skills')
        ? err(new HermesError('io', 'The process is dead.'))
        : storage.update(paths, plan, options),
  }
  expect((await rollback({ storage: dies, clock, target: id })).ok).toBe(false)
}

/** A skill or an archive entry that cannot be read has the name of its folder, and no twin in the archive. */
const TWINS = ['list skills', 'read skills/.archive/backup/SKILL.md', 'read skills/.archive/.manifests/backup.json']
const NAMES = 'read skills/deploy/SKILL.md,skills/fresh/SKILL.md'
const RESTORED_NAMES = `${NAMES},skills/ops/backup/SKILL.md,skills/ops/clean/SKILL.md`

/** A skill that the store cannot archive is moved as a folder. */
const ARCHIVING = 'move skills'

/** A corrupt lease blocks only the curator, and a backup of unknown content is no reason to leave out a copy. */
const RECOVERING = [
  'read curator/run-lease.json',
  'read curator/backups/2026-05-16T10-00-00Z_curator.json',
  'read curator/backups/2026-05-16T10-01-00Z_curator.json',
]

describe('one failing call of the storage', () => {
  it('stops a rollback, which has changed nothing or is finished at the next start', async () => {
    const before = await libraryOf((await world()).storage)
    const unnoticed = await failEach({
      work: (storage, { clock, id }) => rollback({ storage, clock, target: id }),
      check: async (each, isOk) => {
        const isOpen = (await textAt(each.storage, ROLLBACK_STATE_PATH)) !== undefined
        if (!(isOk || isOpen)) expect(await libraryOf(each.storage)).toEqual(before)
        unwrap(await recoverRollback(each.storage, each.clock))
        if (isOk || isOpen) await expectThen(each)
        await expectNothingOpen(each)
      },
    })
    // The report tells of a lease that is not released.
    expect(unnoticed).toEqual([
      'read skills/fresh/SKILL.md',
      'read skills/.archive/backup/SKILL.md',
      NAMES,
      ...TWINS,
      RESTORED_NAMES,
      ...TWINS,
      ARCHIVING,
      'update curator/run-lease.json',
    ])
  })

  if (IS_LONG_RUN)
    it('stops a recovery, which is finished at the next start', async () => {
      const unnoticed = await failEach({
        prepare: interrupt,
        work: (storage, { clock }) => recoverRollback(storage, clock),
        check: async (each) => {
          unwrap(await recoverRollback(each.storage, each.clock))
          await expectThen(each)
          await expectNothingOpen(each)
        },
      })
      expect(unnoticed).toEqual([...RECOVERING, RESTORED_NAMES, ...TWINS, ARCHIVING])
    })

  if (IS_LONG_RUN)
    it('stops a recovery that goes back, which is finished at the next start', async () => {
      const now = skillsOf(await libraryOf((await world()).storage))
      const unnoticed = await failEach({
        prepare: async (each) => {
          await interrupt(each)
          await remove(each.storage, each.archive)
        },
        work: (storage, { clock }) => recoverRollback(storage, clock),
        check: async (each) => {
          unwrap(await recoverRollback(each.storage, each.clock))
          expect(skillsOf(await libraryOf(each.storage))).toEqual(now)
          // A skill whose twin could not be read is in the archive twice.
          expect(new Set(unwrap(await each.skills.listArchived()).entries.map(({ name }) => name))).toEqual(new Set(['backup', 'clean']))
          expect(await each.usage.get('clean')).toMatchObject({ state: 'archived' })
          await expectNothingOpen(each)
        },
      })
      expect(unnoticed).toEqual([
        ...RECOVERING,
        'read skills/ops/backup/SKILL.md',
        'read skills/ops/clean/SKILL.md',
        RESTORED_NAMES,
        ...TWINS,
        RESTORED_NAMES,
        ...TWINS,
        'list skills/ops/backup',
        'list skills/.archive/backup',
        'read skills/ops/backup/SKILL.md',
        'read skills/.archive/backup/SKILL.md',
        ARCHIVING,
      ])
    })
})

it('keeps no copy, while it is recovered, of what one of the two backups holds', async () => {
  const each = await world()
  await interrupt(each, 'skills/things')
  unwrap(await recoverRollback(each.storage, each.clock))
  expect(Object.keys(await treeOf(each.storage, REPLACED_FOLDER)).map((path) => path.split('/').slice(4).join('/'))).toEqual([
    '.archive/.manifests/backup.json',
    '.archive/backup/SKILL.md',
    'notes.md',
    'things',
  ])
})

it('touches nothing any more once another process has finished it, whenever that is', async () => {
  const later = { 'skills/deploy/SKILL.md': skillText('deploy', 'Later.'), 'skills/fresh/SKILL.md': skillText('fresh', 'Later.') }
  for (let finishesAt = 1; ; finishesAt++) {
    const each = await world()
    await interrupt(each, 'skills/things')
    const { storage, clock } = each
    let looks = 0
    const slow: StorageBackend = {
      ...storage,
      read: async (paths) => {
        if (paths.includes(ROLLBACK_STATE_PATH) && ++looks === finishesAt) {
          expect(unwrap(await recoverRollback(storage, clock)).recovered).toBe('finished')
          await write(storage, later)
          unwrap(await beginRun(storage, { runId: 'run-later', startedAt: clock(), planned: [] }))
        }
        return storage.read(paths)
      },
    }
    const recovery = unwrap(await recoverRollback(slow, clock))
    if ('report' in recovery && looks >= finishesAt) expect(recovery.report).toMatchObject({ droppedRuns: [] })
    if (looks < finishesAt) return expect(finishesAt).toBe(6)
    expect(skillsOf(await libraryOf(storage)), `look ${finishesAt}`).toMatchObject(later)
    expect(unwrap(await readUnfinishedRuns(storage)).runs).toMatchObject([{ runId: 'run-later' }])
  }
})

it('ends with the last document to write if another process has finished it', async () => {
  const clock = manualClock(START)
  const storage = inMemoryBackend()
  await write(storage, THEN)
  const { id } = unwrap(await createSkillBackup({ storage, clock, reason: 'manual' }))
  await write(storage, { 'skills/deploy/SKILL.md': skillText('deploy', 'Now.') })
  clock.advance(60_000)
  let swaps = 0
  const slow: StorageBackend = {
    ...storage,
    read: async (paths) => {
      const state = paths.includes(ROLLBACK_STATE_PATH) && unwrap(await readRollbackState(storage))
      if (state && state.phase === 'swapping' && ++swaps === 1) {
        unwrap(await recoverRollback(storage, clock))
        unwrap(await beginRun(storage, { runId: 'run-later', startedAt: clock(), planned: [] }))
      }
      return storage.read(paths)
    },
  }
  expect(unwrap(await rollback({ storage: slow, clock, target: id }))).toMatchObject({ restored: [], droppedRuns: [] })
  expect(swaps).toBe(1)
  expect(unwrap(await readUnfinishedRuns(storage)).runs).toMatchObject([{ runId: 'run-later' }])
})

it('changes nothing if another process has finished it before its first change', async () => {
  const { storage, clock, id } = await world()
  let isFinished = false
  const slow: StorageBackend = {
    ...storage,
    list: async (path) => {
      if (!isFinished && unwrap(await readRollbackState(storage)) !== undefined) {
        isFinished = true
        expect(unwrap(await recoverRollback(storage, clock)).recovered).toBe('finished')
        unwrap(await beginRun(storage, { runId: 'run-later', startedAt: clock(), planned: [] }))
      }
      return storage.list(path)
    },
  }
  const nothing = { restored: [], archived: [], setAside: [], problems: [], droppedRuns: [] }
  expect(unwrap(await rollback({ storage: slow, clock, target: id }))).toMatchObject(nothing)
  expect(isFinished).toBe(true)
  expect(unwrap(await readUnfinishedRuns(storage)).runs).toMatchObject([{ runId: 'run-later' }])
})

it('reports no document as restored that another program has restored before', async () => {
  const clock = manualClock(START)
  const storage = inMemoryBackend()
  await write(storage, THEN)
  const { id } = unwrap(await createSkillBackup({ storage, clock, reason: 'manual' }))
  const [deploy, clean] = ['skills/deploy/SKILL.md', 'skills/ops/clean/SKILL.md'] as const
  await write(storage, { [deploy]: skillText('deploy', 'Now.'), [clean]: skillText('clean', 'Now.') })
  clock.advance(60_000)
  const shared: StorageBackend = {
    ...storage,
    update: async (paths, plan, options) => {
      const updated = await storage.update(paths, plan, options)
      const state = paths.includes(ROLLBACK_STATE_PATH) ? unwrap(await readRollbackState(storage)) : undefined
      if (state?.phase === 'swapping') await write(storage, { [deploy]: THEN[deploy] })
      return updated
    },
  }
  expect(unwrap(await rollback({ storage: shared, clock, target: id })).restored).toEqual([clean])
})

it.each([
  ['a second after the rollback began', 0, 1_000],
  ['the time now', 5_000, 5_000],
])('goes back at %s, also if it is interrupted before its first change', async (_, passed, later) => {
  const each = await world()
  const { storage, clock } = each
  const now = skillsOf(await libraryOf(storage))
  await interrupt(each)
  const { startedAt = 0 } = unwrap(await readRollbackState(storage)) ?? {}
  await remove(storage, each.archive)
  clock.advance(passed)
  const list = async () => err(new HermesError('io', 'EIO: i/o error'))
  expect(await recoverRollback({ ...storage, list }, clock)).toMatchObject({ ok: false })
  const going = { direction: 'undo', phase: 'staging', startedAt: startedAt + later, leavingSkills: [], leavingEntries: [] }
  expect(await readRollbackState(storage)).toMatchObject({ value: going })
  expect(unwrap(await recoverRollback(storage, clock))).toMatchObject({ recovered: 'undone' })
  expect(skillsOf(await libraryOf(storage))).toEqual(now)
})

it('is left alone by a process that goes back more slowly than another', async () => {
  const each = await world()
  await interrupt(each)
  const { storage, clock, archive } = each
  await remove(storage, archive)
  let isDone = false
  const slow: StorageBackend = {
    ...storage,
    update: async (paths, plan, options) => {
      if (paths.includes(ROLLBACK_STATE_PATH) && !isDone) {
        isDone = true
        expect(unwrap(await recoverRollback(storage, clock))).toMatchObject({ recovered: 'undone' })
        await write(storage, { 'skills/deploy/SKILL.md': skillText('deploy', 'Edited after.') })
      }
      return storage.update(paths, plan, options)
    },
  }
  expect(unwrap(await recoverRollback(slow, clock))).toEqual({ recovered: 'undone', because: expect.anything() })
  expect(await textAt(storage, 'skills/deploy/SKILL.md')).toBe(skillText('deploy', 'Edited after.'))
})

describe('a recovery whose backup', () => {
  const refused = err(new HermesError('unreadable', 'EACCES: permission denied', { details: { systemCode: 'EACCES' } }))
  const recoverWith = async (read: (path: string, id: string) => boolean | undefined, takeAway: 'nothing' | 'manifest' | 'archive') => {
    const each = await world()
    await interrupt(each)
    const { storage, clock, id, archive } = each
    if (takeAway !== 'nothing') await remove(storage, takeAway === 'archive' ? archive : archive.replace('.tar.gz', '.json'))
    const recovered = await recoverRollback(
      { ...storage, read: async (paths) => (paths.some((path) => read(path, id)) ? refused : storage.read(paths)) },
      clock,
    )
    return { recovered, isOpen: (await textAt(storage, ROLLBACK_STATE_PATH)) !== undefined }
  }

  it.each<['manifest' | 'archive', RollbackRecovery['recovered']]>([
    ['manifest', 'undone'],
    ['archive', 'undone'],
  ])('has lost its %s goes back to how it was before', async (takeAway, recovered) => {
    expect(await recoverWith(() => false, takeAway)).toMatchObject({ recovered: { ok: true, value: { recovered } }, isOpen: false })
  })

  it.each(['.tar.gz', '.json'])('may not be read now (%s) waits until it can be', async (end) => {
    const outcome = await recoverWith((path, id) => path.includes(id) && path.endsWith(end), 'nothing')
    expect(outcome).toMatchObject({ recovered: { ok: false, error: { code: 'unreadable' } }, isOpen: true })
  })

  it('is lost waits as well if the one of the time before may not be read now', async () => {
    const outcome = await recoverWith((path, id) => path.endsWith('.tar.gz') && !path.includes(id), 'archive')
    expect(outcome).toMatchObject({ recovered: { ok: false, error: { message: 'EACCES: permission denied' } }, isOpen: true })
  })
})
