/** Work on a skill library, at random: edits, archives, restores, backs up, prunes and rolls back. */
import { pruneBackups } from '../../src/curator/backup/back-up-run.ts'
import { listBackups } from '../../src/curator/backup/backup-list.ts'
import { createSkillBackup } from '../../src/curator/backup/skill-backup.ts'
import { rollback } from '../../src/curator/rollback/rollback.ts'
import type { Result } from '../../src/shared/result.ts'
import { SkillStore } from '../../src/skills/skill-store.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { UsageStore } from '../../src/usage/usage-store.ts'
import { seededRandom } from './seeded-random.ts'
import { skillText, unwrap } from './skill-library.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export interface BackupWork {
  readonly storage: StorageBackend
  readonly seed: number
  /** Epoch milliseconds. The clock advances by a day with each call, so that backups grow old too. */
  readonly startAt: number
}

const allowed = (result: Result<unknown>, ...codes: readonly string[]): void => {
  if (!result.ok && !codes.includes(result.error.code)) throw result.error
}

/** Returns a function that takes the next step. It throws the storage's errors. */
export const backupWork = ({ storage, seed, startAt }: BackupWork): (() => Promise<void>) => {
  const random = seededRandom(seed)
  const below = (count: number): number => Math.floor(random() * count)
  const pick = <T>(items: readonly T[]): T | undefined => items[below(items.length)]
  let now = startAt
  const clock = (): number => {
    now += DAY_MS
    return now
  }
  const skills = new SkillStore({ storage, clock })
  const usage = new UsageStore({ storage, clock })
  let edits = 0

  return async () => {
    const name = `skill-${below(8)}`
    switch (below(10)) {
      case 0:
        return allowed(await skills.create({ name, content: skillText(name, `new in ${seed}`) }), 'occupied')
      case 1:
      case 2:
        allowed(await skills.edit(name, skillText(name, `edit ${++edits} of ${seed}`)), 'not_found', 'ambiguous')
        return allowed(await usage.record(name, 'patch'))
      case 3:
        return allowed(await skills.writeFile(name, `references/${below(3)}.md`, `file ${++edits} of ${seed}`), 'not_found', 'ambiguous')
      case 4:
        // One skill is never archived.
        if (name === 'skill-0') return
        return allowed(await skills.archive(name, { reason: 'unused' }), 'not_found', 'ambiguous')
      case 5:
        return allowed(await skills.restore(name), 'not_found', 'occupied')
      case 6:
      case 7:
        unwrap(await createSkillBackup({ storage, clock, reason: 'manual' }))
        return allowed(await pruneBackups({ storage, clock }))
      default: {
        const target = pick(unwrap(await listBackups(storage)).backups)
        if (target) unwrap(await rollback({ storage, clock, target: target.id }))
      }
    }
  }
}
