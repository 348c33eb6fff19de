/** `node backup-process.ts <json>`: works on a skill library until it is killed. Edits, archives, restores, backs up, prunes and rolls back. */
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { pruneBackups } from '../../src/curator/backup/back-up-run.ts'
import { listBackups } from '../../src/curator/backup/backup-list.ts'
import { createSkillBackup } from '../../src/curator/backup/skill-backup.ts'
import { rollback } from '../../src/curator/rollback/rollback.ts'
import type { Result } from '../../src/shared/result.ts'
import { SkillStore } from '../../src/skills/skill-store.ts'
import { fileSystemBackend } from '../../src/storage/backends/file-system/index.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { UsageStore } from '../../src/usage/usage-store.ts'
import { seededRandom } from './seeded-random.ts'
import { skillText, unwrap } from './skill-library.ts'

const task: { readonly home: string; readonly seed: number; readonly startAt: number } = JSON.parse(process.argv[2] ?? '')
const random = seededRandom(task.seed)
const below = (count: number): number => Math.floor(random() * count)
const pick = <T>(items: readonly T[]): T | undefined => items[below(items.length)]

// The clock advances by a day with each call, so that backups grow old too.
let now = task.startAt
const clock = (): number => {
  now += 24 * 60 * 60 * 1000
  return now
}

const inner = fileSystemBackend(task.home)
const told = <T>(what: string, call: () => Promise<T>): Promise<T> => {
  writeSync(1, `${what}\n`)
  return call()
}
const storage: StorageBackend = {
  ...inner,
  update: (path, change) => told(`update ${path}`, () => inner.update(path, change)),
  move: (from, to) => told(`move ${from}`, () => inner.move(from, to)),
}
const skills = new SkillStore({ storage, clock })
const usage = new UsageStore({ storage, clock })
let edits = 0

const allowed = (result: Result<unknown>, ...codes: readonly string[]): void => {
  if (!result.ok && !codes.includes(result.error.code)) throw result.error
}

const step = async (): Promise<void> => {
  const name = `skill-${below(8)}`
  switch (below(10)) {
    case 0:
      return allowed(await skills.create({ name, content: skillText(name, `new in ${task.seed}`) }), 'occupied')
    case 1:
    case 2:
      allowed(await skills.edit(name, skillText(name, `edit ${++edits} of ${task.seed}`)), 'not_found', 'ambiguous')
      return allowed(await usage.record(name, 'patch'))
    case 3:
      return allowed(await skills.writeFile(name, `references/${below(3)}.md`, `file ${++edits} of ${task.seed}`), 'not_found', 'ambiguous')
    case 4:
      // One skill is never archived.
      if (name === 'skill-0') return
      allowed(await skills.archive(name, { reason: 'unused' }), 'not_found', 'ambiguous')
      return
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

writeSync(1, 'ready\n')
await once(process.stdin, 'data')
process.stdin.destroy()
for (;;) await step()
