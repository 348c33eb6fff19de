/** A run whose process dies at any of its steps: no skill is ever lost or in two places, and the next run repairs everything. */

import { expect, it } from 'vitest'
import { createSkillBackup } from '../../src/curator/backup/skill-backup.ts'
import { curate } from '../../src/curator/curate.ts'
import { readUnfinishedRuns } from '../../src/curator/run-journal/run-journal.ts'
import { createJournal } from '../../src/journal/journal.ts'
import { SkillStore } from '../../src/skills/skill-store.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { UsageStore } from '../../src/usage/usage-store.ts'
import { fillLibrary, NOON, pathsIn, unwrap } from '../support/curator-library.ts'

const HOUR = 3_600_000
const IDLE = { old1: 95, old2: 120, idle: 45, back: 2, fresh: 1 } as const

/** From the n-th write on, no call takes effect. */
const dyingAfter = (storage: StorageBackend, writes: number) => {
  let left = writes
  const isDead = () => left-- <= 0
  const died = () => Promise.reject(new Error('died'))
  return {
    storage: {
      ...storage,
      read: (paths) => (left < 0 ? died() : storage.read(paths)),
      list: (path: string) => (left < 0 ? died() : storage.list(path)),
      update: (paths, plan, options) => (isDead() ? died() : storage.update(paths, plan, options)),
    } satisfies StorageBackend,
    lived: () => left >= 0,
  }
}

const runOn = async (storage: StorageBackend, at: number, id: string) => {
  const clock = () => at
  let ids = 0
  const createId = () => `${id}-${++ids}`
  return curate({
    storage,
    clock,
    createId,
    skills: new SkillStore({ storage, clock }),
    usage: new UsageStore({ storage, clock }),
    journal: createJournal({ storage, clock, createId }),
    beforeChanges: async () => createSkillBackup({ storage, clock, reason: 'pre-curator-run' }),
  })
}

const whereabouts = async (storage: StorageBackend) => {
  const paths = await pathsIn(storage, 'skills')
  return Object.keys(IDLE).map((name) => ({
    name,
    live: paths.includes(`skills/${name}/SKILL.md`),
    archived: paths.filter((path) => path.startsWith(`skills/.archive/${name}/`)).length,
  }))
}

it('survives a death at every step', async () => {
  let steps = 0
  for (let hasLived = false; !hasLived; steps++) {
    const storage = inMemoryBackend()
    const words = Object.fromEntries(
      Object.entries(IDLE).map(([name, idleDays]) => [
        name,
        { idleDays, state: name === 'back' ? ('stale' as const) : ('active' as const) },
      ]),
    )
    await fillLibrary(storage, words)
    const dying = dyingAfter(storage, steps)
    await runOn(dying.storage, NOON, 'first').catch(() => undefined)
    hasLived = dying.lived()

    for (const { name, live, archived } of await whereabouts(storage)) expect(live ? 1 : archived, `${name} after ${steps} writes`).toBe(1)

    // An hour later, when the dead run's lease has expired.
    const outcome = unwrap(await runOn(storage, NOON + HOUR, 'second'))
    expect(outcome).toBeDefined()
    const usage = new UsageStore({ storage })
    const states = await Promise.all(Object.keys(IDLE).map(async (name) => [name, (await usage.get(name))?.state]))
    expect(Object.fromEntries(states), `after ${steps} writes`).toEqual({
      old1: 'archived',
      old2: 'archived',
      idle: 'stale',
      back: 'active',
      fresh: 'active',
    })
    for (const { name, live, archived } of await whereabouts(storage)) {
      expect({ live, archived }, name).toEqual(name.startsWith('old') ? { live: false, archived: 1 } : { live: true, archived: 0 })
    }
    expect(unwrap(await readUnfinishedRuns(storage)).runs).toEqual([])
    expect(
      unwrap(await new SkillStore({ storage }).listArchived())
        .entries.map(({ name }) => name)
        .sort(),
    ).toEqual(['old1', 'old2'])
  }
  // Lease, stamp, backup, journals, states, the archive, report, state, lease: enough steps to die in.
  expect(steps).toBeGreaterThan(10)
})
