/** The backup before the first change of a run; old ones go once it is there (seed 003). */
import type { Clock } from '../../shared/clock.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import type { SkillBackup } from './backup-manifest.ts'
import { manifestPath } from './backup-name.ts'
import { pruneBackups } from './backup-prune.ts'
import { type BackupSettings, toBackupBounds } from './backup-settings.ts'
import { createSkillBackup } from './skill-backup.ts'

export interface BackUpRunOptions {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly settings: BackupSettings
}

/** What a rollback could not bring back is said aloud; the manifest names all of it. */
const leftOutOf = ({ id, leftOut }: SkillBackup): HermesError | undefined => {
  const [first] = leftOut
  if (!first) return undefined
  const count = leftOut.length === 1 ? '1 file' : `${leftOut.length} files`
  const message = `The backup ${id} goes without ${count}: '${first.path}' (${first.why})${leftOut.length > 1 ? ' and others' : ''}. A rollback leaves such files as they are; its manifest '${manifestPath(id)}' names them.`
  return new HermesError('unreadable', message, { details: { path: first.path, leftOut } })
}

export interface RunBackup {
  readonly id: string
  /** What is not in the backup, and old ones that could not be removed: no reason to end the run. */
  readonly problems?: readonly HermesError[]
}

/** For `beforeChanges` of a run; `undefined` where backups are switched off. */
export const backUpRun = ({ storage, clock, settings }: BackUpRunOptions) => {
  const { enabled = true, retainWeeks } = settings
  if (!enabled) return undefined
  return async (): Promise<Result<RunBackup>> => {
    const taken = await createSkillBackup({ storage, clock, reason: 'pre-curator-run', ...toBackupBounds(settings) })
    if (!taken.ok) return taken
    const leftOut = leftOutOf(taken.value)
    const pruned = await pruneBackups({ storage, clock, ...(retainWeeks === undefined ? {} : { retainWeeks }) })
    return ok({ id: taken.value.id, problems: [...(leftOut ? [leftOut] : []), ...(pruned.ok ? [] : [pruned.error])] })
  }
}
