import { describe, expect, it } from 'vitest'
import { skillText, unwrap, write } from '../../../test/support/skill-library.ts'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import { updateDocument } from '../../storage/one-document.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { ROLLBACK_STATE_PATH } from '../rollback/rollback-state.ts'
import { pruneBackups } from './back-up-run.ts'
import { listBackups } from './backup-list.ts'
import type { SkillBackup } from './backup-manifest.ts'
import { createSkillBackup } from './skill-backup.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const open = async (days: readonly number[]) => {
  const clock = manualClock(Date.UTC(2026, 4, 1, 12))
  const storage = inMemoryBackend()
  await write(storage, { 'skills/deploy/SKILL.md': skillText('deploy') })
  const made: SkillBackup[] = []
  for (const day of days) {
    clock.advance(day * DAY_MS)
    made.push(unwrap(await createSkillBackup({ storage, clock, reason: 'pre-curator-run' })))
  }
  const ids = async () => unwrap(await listBackups(storage)).backups.map(({ id }) => id)
  const prune = (retainWeeks?: number) => pruneBackups({ storage, clock, ...(retainWeeks === undefined ? {} : { retainWeeks }) })
  return { clock, storage, made, ids, prune, idsMade: made.map(({ id }) => id) }
}

describe('old backups', () => {
  it('go after four weeks, archive and manifest', async () => {
    const { storage, prune, ids, idsMade } = await open([0, 1, 26, 2])
    expect(unwrap(await prune()).removed).toEqual(idsMade.slice(0, 1))
    expect(await ids()).toEqual(idsMade.slice(1).reverse())
    expect(unwrap(await storage.list('curator/backups'))).toHaveLength(6)
  })

  it('go after as many weeks as are asked for', async () => {
    const { prune, ids, idsMade } = await open([0, 6, 2])
    expect(unwrap(await prune(1)).removed).toEqual(idsMade.slice(0, 1))
    expect(await ids()).toEqual(idsMade.slice(1).reverse())
    expect(await prune(0)).toMatchObject({ ok: false, error: { code: 'invalid' } })
    expect(await prune(Number.NaN)).toMatchObject({ ok: false, error: { code: 'invalid' } })
  })

  it('stay if there is no newer one that verifies', async () => {
    const { clock, storage, made, prune, ids, idsMade } = await open([0, 1, 1])
    clock.advance(100 * DAY_MS)
    unwrap(
      await updateDocument(storage, made[2]?.archive ?? '', (current) => {
        const broken = current?.bytes.slice()
        if (broken) broken[20] = (broken[20] ?? 0) ^ 1
        return broken
      }),
    )
    // The newest backup is listed, since its size is right, but it would not verify.
    expect(unwrap(await prune()).removed).toEqual([idsMade[0], idsMade[2]])
    expect(await ids()).toEqual([idsMade[1]])
    expect(unwrap(await prune()).removed).toEqual([])
  })

  it('stay while a rollback needs them, and all of them while its journal cannot be read', async () => {
    const { clock, storage, prune, idsMade } = await open([0, 1, 1, 1])
    clock.advance(100 * DAY_MS)
    const [target, other, safety] = idsMade
    const state = { target, safety, startedAt: 0, direction: 'forward', phase: 'swapping', leavingSkills: [], leavingEntries: [] }
    await write(storage, { [ROLLBACK_STATE_PATH]: '{' })
    expect(await prune()).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    await write(storage, { [ROLLBACK_STATE_PATH]: JSON.stringify(state) })
    expect(unwrap(await prune()).removed).toEqual([other])
  })

  it('go also if they were never finished', async () => {
    const { clock, storage, prune } = await open([0])
    await write(storage, { 'curator/backups/2026-04-01T00-00-00Z_curator.tar.gz': 'interrupted', 'curator/backups/notes.txt': 'mine' })
    clock.advance(DAY_MS)
    expect(unwrap(await prune()).removed).toEqual(['2026-04-01T00-00-00Z'])
    expect(unwrap(await storage.list('curator/backups')).map(({ path }) => path)).toContain('curator/backups/notes.txt')
  })

  it('go an hour after they were interrupted, but not while they may still be written', async () => {
    const { clock, storage, prune } = await open([0])
    await write(storage, { 'curator/backups/2026-05-01T12-30-00Z_curator.tar.gz': 'interrupted' })
    clock.advance(DAY_MS / 24)
    expect(unwrap(await prune()).removed).toEqual([])
    clock.advance(DAY_MS / 24)
    expect(unwrap(await prune()).removed).toEqual(['2026-05-01T12-30-00Z'])
  })

  it('leave Python Hermes its own', async () => {
    const { clock, storage, prune } = await open([0])
    await write(storage, { 'skills/.curator_backups/2026-01-01T00-00-00Z/skills.tar.gz': 'theirs' })
    clock.advance(DAY_MS)
    expect(unwrap(await prune()).removed).toEqual([])
    expect(unwrap(await storage.list('skills/.curator_backups'))).toHaveLength(1)
  })
})
