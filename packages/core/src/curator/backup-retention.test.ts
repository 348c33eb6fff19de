/** Each backup of a run removes those that are too old. */

import { manualClock } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { DAY, fillLibrary, NOON, unwrap, writeText } from '../../test/support/curator-library.ts'
import { openCurator } from '../../test/support/open-curator.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { UsageStore } from '../usage/usage-store.ts'
import { listBackups } from './backups.ts'

/** Runs with a change after these days each. */
const runs = async (days: readonly number[], retainWeeks?: number, before: Readonly<Record<string, string>> = {}) => {
  const clock = manualClock(NOON)
  const storage = inMemoryBackend()
  await fillLibrary(storage, { idle: { idleDays: 45 } })
  for (const [path, text] of Object.entries(before)) await writeText(storage, path, text)
  const curator = openCurator({ storage, clock }, retainWeeks === undefined ? {} : { backup: { retainWeeks } })
  const made: string[] = []
  for (const day of days) {
    clock.advance(day * DAY)
    unwrap(await new UsageStore({ storage, clock: () => clock() - 45 * DAY }).setState('idle', 'active'))
    made.push(unwrap(await curator.run()).backupId ?? 'none')
  }
  const ids = unwrap(await listBackups(storage)).backups.map(({ id }) => id)
  const paths = unwrap(await storage.list('curator/backups')).map(({ path }) => path)
  return { storage, made, ids: ids.reverse(), paths }
}

describe('old backups', () => {
  it('go after four weeks, archive and manifest', async () => {
    const { made, ids, paths } = await runs([0, 1, 26, 2])
    expect(ids).toEqual(made.slice(1))
    expect(paths).toHaveLength(6)
  })

  it('go after as many weeks as are asked for', async () => {
    const { made, ids } = await runs([0, 6, 2], 1)
    expect(ids).toEqual(made.slice(1))
  })

  it('go also if they have no manifest, and leave other documents and those of Python Hermes', async () => {
    const { made, paths, storage } = await runs([0], undefined, {
      'curator/backups/2026-04-01T00-00-00Z_curator.tar.gz': 'a part',
      'curator/backups/notes.txt': 'mine',
      'skills/.curator_backups/2026-01-01T00-00-00Z/skills.tar.gz': 'theirs',
    })
    expect(paths).toEqual([
      `curator/backups/${made[0]}_curator.json`,
      `curator/backups/${made[0]}_curator.tar.gz`,
      'curator/backups/notes.txt',
    ])
    expect(unwrap(await storage.list('skills/.curator_backups'))).toHaveLength(1)
  })
})
