import { describe, expect, it } from 'vitest'
import { dyingBackend } from '../../../test/support/dying-backend.ts'
import { libraryOf, remove, skillText, textAt, treeOf, unwrap, write } from '../../../test/support/skill-library.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err } from '../../shared/result.ts'
import { SkillStore } from '../../skills/skill-store.ts'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import { readDocument, updateDocument } from '../../storage/one-document.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { UsageStore } from '../../usage/usage-store.ts'
import { pruneBackups } from '../backup/back-up-run.ts'
import { createSkillBackup } from '../backup/skill-backup.ts'
import { beginRun, readUnfinishedRuns } from '../run-journal/run-journal.ts'
import { CURATOR_LEASE_PATH, readCuratorLease, takeCuratorLease } from '../schedule/curator-lease.ts'
import { rollback } from './rollback.ts'
import { recoverRollback } from './rollback-recover.ts'
import { checkNoRollback, ROLLBACK_STATE_PATH, readRollbackState } from './rollback-state.ts'

const THEN = {
  'skills/deploy/SKILL.md': skillText('deploy', 'Then.'),
  'skills/deploy/references/a.md': 'then',
  'skills/ops/backup/SKILL.md': skillText('backup', 'Then.'),
  'skills/ops/clean/SKILL.md': skillText('clean'),
}

/** A library that was backed up and then changed in every possible way. */
const changedLibrary = async () => {
  const clock = manualClock(Date.UTC(2026, 4, 16, 10))
  const storage = inMemoryBackend()
  const store = new SkillStore({ storage, clock })
  const usage = new UsageStore({ storage, clock })
  await write(storage, THEN)
  unwrap(await usage.record('deploy', 'create', { createdBy: 'agent' }))
  const target = unwrap(await createSkillBackup({ storage, clock, reason: 'manual' }))
  clock.advance(1000)
  await write(storage, {
    'skills/deploy/SKILL.md': skillText('deploy', 'Now.'),
    'skills/deploy/references/b.md': 'now',
    'skills/fresh/SKILL.md': skillText('fresh', 'Now.'),
  })
  await remove(storage, 'skills/ops/clean/SKILL.md')
  unwrap(await store.archive('backup', { reason: 'unused' }))
  unwrap(await usage.record('fresh', 'create', { createdBy: 'agent' }))
  unwrap(await usage.setState('deploy', 'stale'))
  clock.advance(1000)
  return { clock, storage, store, usage, target }
}

type World = Awaited<ReturnType<typeof changedLibrary>>

const withoutUsage = (tree: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(tree).filter(([path]) => path !== 'skills/.usage.json'))

const liveOf = async (storage: StorageBackend) =>
  Object.fromEntries(Object.entries(withoutUsage(await libraryOf(storage))).filter(([path]) => !path.startsWith('skills/.archive/')))

const expectThen = async ({ storage, store, usage }: World): Promise<void> => {
  expect(await liveOf(storage)).toEqual(THEN)
  expect(unwrap(await store.listArchived()).entries.map(({ name }) => name)).toEqual(['fresh'])
  expect(await usage.get('deploy')).toMatchObject({ state: 'active', createdBy: 'agent' })
  expect(await usage.get('fresh')).toMatchObject({ state: 'archived' })
  expect(unwrap(await readRollbackState(storage))).toBeUndefined()
  expect(await treeOf(storage, 'curator/backups/.staging')).toEqual({})
  expect(await textAt(storage, CURATOR_LEASE_PATH)).toBeUndefined()
}

/** Every skill of either time is live or archived, with its text of one of the two times. */
const expectNoSkillLost = async ({ storage, store }: World): Promise<void> => {
  const { skills } = unwrap(await store.list())
  const { entries } = unwrap(await store.listArchived())
  const texts = new Map<string, string[]>()
  for (const { name, path } of [...skills, ...entries.map((entry) => ({ ...entry, path: `.archive/${entry.path}` }))]) {
    texts.set(name, [...(texts.get(name) ?? []), (await textAt(storage, `skills/${path}/SKILL.md`)) ?? ''])
  }
  expect(skills).not.toEqual([])
  const possible: Readonly<Record<string, readonly string[]>> = {
    deploy: [skillText('deploy', 'Then.'), skillText('deploy', 'Now.')],
    backup: [skillText('backup', 'Then.')],
    fresh: [skillText('fresh', 'Now.')],
  }
  for (const [name, allowed] of Object.entries(possible)) {
    expect(texts.get(name) ?? []).not.toEqual([])
    for (const text of texts.get(name) ?? []) expect(allowed).toContain(text)
  }
}

/** Runs rollbacks that die after 1, 2, 3… changes (or every few) until one completes. */
const diesEverywhere = async (check: (world: World, changes: number) => Promise<void>, every = 1): Promise<number> => {
  for (let changes = 0; ; changes += every) {
    const world = await changedLibrary()
    const dying = dyingBackend(world.storage, changes)
    const outcome = await rollback({ storage: dying, clock: world.clock, target: world.target.id })
    if (outcome.ok) return changes
    expect(dying.isDead()).toBe(true)
    await check(world, changes)
  }
}

describe('a rollback that was interrupted', () => {
  it('is finished at the next start, after whichever change it died', async () => {
    const steps = await diesEverywhere(async (world) => {
      await expectNoSkillLost(world)
      const wasOpen = unwrap(await readRollbackState(world.storage)) !== undefined
      const before = await libraryOf(world.storage)
      const { recovered } = unwrap(await recoverRollback(world.storage, world.clock))
      expect(recovered).toBe(wasOpen ? 'finished' : 'nothing')
      if (wasOpen) await expectThen(world)
      else expect(await libraryOf(world.storage)).toEqual(before)
      expect(unwrap(await recoverRollback(world.storage, world.clock))).toEqual({ recovered: 'nothing' })
    })
    expect(steps).toBeGreaterThan(15)
  })

  it('is finished also if each recovery dies a few changes later', async () => {
    await diesEverywhere(async (world) => {
      if (!unwrap(await readRollbackState(world.storage))) return
      for (let round = 1; ; round += 4) {
        const recovered = await recoverRollback(dyingBackend(world.storage, round), world.clock)
        await expectNoSkillLost(world)
        if (recovered.ok) break
      }
      await expectThen(world)
    }, 3)
  })

  it('keeps the curator out until it is finished, and says what to do', async () => {
    await diesEverywhere(async ({ storage, clock, target }) => {
      const isOpen = unwrap(await readRollbackState(storage)) !== undefined
      const checked = await checkNoRollback(storage)
      expect(checked.ok).toBe(!isOpen)
      if (checked.ok) return
      expect(checked.error).toMatchObject({ code: 'locked', details: { target: target.id, safety: expect.any(String) } })
      expect(checked.error.message).toContain(`rollback to ${target.id} is not finished`)
      unwrap(await recoverRollback(storage, clock))
      expect((await checkNoRollback(storage)).ok).toBe(true)
    }, 3)
  })

  it('is undone from the safety snapshot if the backup was damaged meanwhile', async () => {
    const now = withoutUsage(await libraryOf((await changedLibrary()).storage))
    const steps: string[] = []
    await diesEverywhere(async (world) => {
      const state = unwrap(await readRollbackState(world.storage))
      if (!state) return
      unwrap(await updateDocument(world.storage, world.target.archive, (current) => current?.bytes.slice(0, 50)))
      const outcome = unwrap(await recoverRollback(world.storage, world.clock))
      expect(outcome).toMatchObject({ recovered: 'undone', because: { code: 'unreadable' } })
      // Nothing had been changed while it was being staged.
      expect('report' in outcome).toBe(state.phase === 'swapping')
      steps.push(state.phase)
      expect(await libraryOf(world.storage)).toMatchObject(now)
      expect(Object.keys(await liveOf(world.storage))).toEqual(Object.keys(now).filter((path) => !path.startsWith('skills/.archive/')))
      expect(await world.usage.get('deploy')).toMatchObject({ state: 'stale' })
      expect(await world.usage.get('fresh')).toMatchObject({ state: 'active' })
      expect(unwrap(await readRollbackState(world.storage))).toBeUndefined()
    })
    expect(new Set(steps)).toEqual(new Set(['staging', 'swapping']))
  })

  it('continues being undone if the undoing was interrupted too', async () => {
    await diesEverywhere(async (world, changes) => {
      const state = unwrap(await readRollbackState(world.storage))
      if (state?.phase !== 'swapping') return
      const archive = unwrap(await readDocument(world.storage, world.target.archive))?.bytes
      await remove(world.storage, world.target.archive)
      const first = await recoverRollback(dyingBackend(world.storage, 1 + (changes % 8)), world.clock)
      // Even if the backup reappears: the undo is half done.
      unwrap(await updateDocument(world.storage, world.target.archive, () => archive))
      if (!first.ok && unwrap(await readRollbackState(world.storage))?.direction === 'undo')
        expect(unwrap(await recoverRollback(world.storage, world.clock))).toMatchObject({
          recovered: 'undone',
          because: { code: 'unreadable' },
        })
      await expectNoSkillLost(world)
    }, 3)
  })

  it('stays as it is if neither backup can be used, and says so', async () => {
    let isChecked = false
    await diesEverywhere(async (world) => {
      const state = unwrap(await readRollbackState(world.storage))
      if (state?.phase !== 'swapping') return
      await remove(world.storage, world.target.archive, world.target.archive.replace(world.target.id, state.safety))
      const before = await libraryOf(world.storage)
      const refused = await recoverRollback(world.storage, world.clock)
      expect(refused).toMatchObject({
        ok: false,
        error: {
          code: 'unreadable',
          message: expect.stringContaining("delete 'curator/backups/.rollback.json'"),
          details: { path: ROLLBACK_STATE_PATH, target: state.target },
        },
      })
      expect(await libraryOf(world.storage)).toEqual(before)
      isChecked = true
    }, 3)
    expect(isChecked).toBe(true)
  })

  it('keeps its backups from being pruned, however old', async () => {
    await diesEverywhere(async (world) => {
      const state = unwrap(await readRollbackState(world.storage))
      if (!state) return
      world.clock.advance(365 * 24 * 60 * 60 * 1000)
      unwrap(await createSkillBackup({ storage: world.storage, clock: world.clock, reason: 'newer' }))
      expect(unwrap(await pruneBackups({ storage: world.storage, clock: world.clock })).removed).toEqual([])
      expect(unwrap(await recoverRollback(world.storage, world.clock)).recovered).toBe('finished')
    }, 3)
  })

  it('is not taken up by a slow process once another has finished it and the library is in use again', async () => {
    let isChecked = false
    await diesEverywhere(async (world) => {
      if (unwrap(await readRollbackState(world.storage))?.phase !== 'swapping' || isChecked) return
      let looks = 0
      const slow: StorageBackend = {
        ...world.storage,
        read: async (paths) => {
          if (paths.includes(ROLLBACK_STATE_PATH) && ++looks === 2) {
            expect(unwrap(await recoverRollback(world.storage, world.clock)).recovered).toBe('finished')
            await write(world.storage, { 'skills/deploy/SKILL.md': skillText('deploy', 'Edited after.') })
            unwrap(await beginRun(world.storage, { runId: 'run-after', startedAt: world.clock(), planned: [] }))
          }
          return world.storage.read(paths)
        },
      }
      expect(unwrap(await recoverRollback(slow, world.clock))).toMatchObject({ report: { restored: [], droppedRuns: [] } })
      expect(await textAt(world.storage, 'skills/deploy/SKILL.md')).toBe(skillText('deploy', 'Edited after.'))
      expect(unwrap(await readUnfinishedRuns(world.storage)).runs).toMatchObject([{ runId: 'run-after' }])
      isChecked = true
    })
    expect(isChecked).toBe(true)
  })

  it('forgets no skill that has left, if a second process plans after the first has moved it and died', async () => {
    let until = 0
    const diesWhileStaging = async (): Promise<World> => {
      for (; ; until++) {
        const world = await changedLibrary()
        const dying = dyingBackend(world.storage, until)
        expect((await rollback({ storage: dying, clock: world.clock, target: world.target.id })).ok).toBe(false)
        if (unwrap(await readRollbackState(world.storage))?.phase === 'staging') return world
      }
    }
    for (let changes = 1; changes < 20; changes++) {
      const world = await diesWhileStaging()
      let hasDied = false
      const second: StorageBackend = {
        ...world.storage,
        list: async (prefix) => {
          if (!hasDied) {
            hasDied = true
            await recoverRollback(dyingBackend(world.storage, changes), world.clock)
          }
          return world.storage.list(prefix)
        },
      }
      unwrap(await recoverRollback(second, world.clock))
      await expectThen(world)
    }
  })

  it('never leaves the library empty, even if none of the skills in the backup is active now', async () => {
    for (let changes = 0; ; changes++) {
      const clock = manualClock(Date.UTC(2026, 4, 16, 10))
      const storage = inMemoryBackend()
      const store = new SkillStore({ storage, clock })
      await write(storage, { 'skills/a/SKILL.md': skillText('a') })
      const { id } = unwrap(await createSkillBackup({ storage, clock, reason: 'manual' }))
      await write(storage, { 'skills/b/SKILL.md': skillText('b') })
      unwrap(await store.archive('a', { reason: 'unused' }))
      clock.advance(1000)
      const outcome = await rollback({ storage: dyingBackend(storage, changes), clock, target: id })
      const { skills } = unwrap(await store.list())
      expect(skills).not.toEqual([])
      if (!outcome.ok) continue
      expect(skills.map(({ name }) => name)).toEqual(['a'])
      break
    }
  })

  it('is finished also if the lease of the curator is corrupt', async () => {
    const world = await changedLibrary()
    expect((await rollback({ storage: dyingBackend(world.storage, 8), clock: world.clock })).ok).toBe(false)
    await write(world.storage, { [CURATOR_LEASE_PATH]: '{' })
    expect(await recoverRollback(world.storage, world.clock)).toMatchObject({ ok: true, value: { recovered: 'finished' } })
    expect(await liveOf(world.storage)).toMatchObject(THEN)
  })

  it('blocks nobody if it died between its last change and the end of its lease', async () => {
    const { storage, clock } = await changedLibrary()
    let isDone = false
    const dying: StorageBackend = {
      ...storage,
      update: async (paths, plan, options) => {
        if (isDone) return err(new HermesError('io', 'The process is dead.'))
        const updated = await storage.update(paths, plan, options)
        isDone = paths.includes(ROLLBACK_STATE_PATH) && updated.ok && updated.value === undefined
        return updated
      },
    }
    await rollback({ storage: dying, clock })
    expect(await textAt(storage, CURATOR_LEASE_PATH)).toBeDefined()
    expect(unwrap(await recoverRollback(storage, clock))).toEqual({ recovered: 'nothing' })
    expect(await textAt(storage, CURATOR_LEASE_PATH)).toBeUndefined()
  })

  it('leaves the lease of a run in progress alone if no rollback was interrupted', async () => {
    const { storage, clock } = await changedLibrary()
    unwrap(await takeCuratorLease({ storage, clock, owner: 'run-1' }))
    unwrap(await recoverRollback(storage, clock))
    expect(unwrap(await readCuratorLease(storage, clock))).toMatchObject({ owner: 'run-1' })
  })

  it('is not taken up if it cannot be read what was in progress', async () => {
    const { storage, clock } = await changedLibrary()
    await write(storage, { 'curator/backups/.rollback.json': '{' })
    expect(await recoverRollback(storage, clock)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
  })

  it('is finished by two processes at once without harm', async () => {
    await diesEverywhere(async (world) => {
      if (!unwrap(await readRollbackState(world.storage))) return
      const both = await Promise.all([recoverRollback(world.storage, world.clock), recoverRollback(world.storage, world.clock)])
      for (const outcome of both) unwrap(outcome)
      await expectThen(world)
    }, 3)
  })
})
