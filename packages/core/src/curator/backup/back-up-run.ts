/** The backup before the first change of a run; old ones go once it is there (seed 003). */
import { callSafely } from '../../shared/call-safely.ts'
import type { Clock } from '../../shared/clock.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import type { SkillBackup } from './backup-manifest.ts'
import { manifestPath } from './backup-name.ts'
import { pruneBackups } from './backup-prune.ts'
import { createSkillBackup } from './skill-backup.ts'

export interface BackupSettings {
  /** `false`: runs change skills without a backup. Default true. */
  readonly enabled?: boolean
  /** Weeks for which backups are kept; the newest stays however old it is. Default 4. */
  readonly retainWeeks?: number
  /** Bytes of all files together, uncompressed. Default 256 MiB. */
  readonly maxBytes?: number
  /** Bytes of one file. Default 16 MiB. */
  readonly maxFileBytes?: number
}

/** Those bounds that are set. */
export const toBackupBounds = ({ maxBytes, maxFileBytes }: BackupSettings): Pick<BackupSettings, 'maxBytes' | 'maxFileBytes'> => ({
  ...(maxBytes === undefined ? {} : { maxBytes }),
  ...(maxFileBytes === undefined ? {} : { maxFileBytes }),
})

export interface BackUpRunOptions {
  readonly storage: StorageBackend
  readonly clock: Clock
  readonly settings: BackupSettings
  /** Hears of what is not in the backup, and of old ones that could not be removed: no reason to end the run. */
  readonly onProblem: (problem: HermesError) => void
}

/** What a rollback could not bring back is said aloud; the manifest names all of it. */
const leftOutOf = ({ id, leftOut }: SkillBackup): HermesError | undefined => {
  const [first] = leftOut
  if (!first) return undefined
  const count = leftOut.length === 1 ? '1 file' : `${leftOut.length} files`
  const message = `The backup ${id} goes without ${count}: '${first.path}' (${first.why})${leftOut.length > 1 ? ' and others' : ''}. A rollback leaves such files as they are; its manifest '${manifestPath(id)}' names them.`
  return new HermesError('unreadable', message, { details: { path: first.path, leftOut } })
}

/** For `beforeChanges` of a run; `undefined` where backups are switched off. */
export const backUpRun = ({ storage, clock, settings, onProblem }: BackUpRunOptions) => {
  const { enabled = true, retainWeeks } = settings
  if (!enabled) return undefined
  return async (): Promise<Result<{ readonly id: string }>> => {
    const taken = await createSkillBackup({ storage, clock, reason: 'pre-curator-run', ...toBackupBounds(settings) })
    if (!taken.ok) return taken
    const leftOut = leftOutOf(taken.value)
    if (leftOut) callSafely(onProblem, leftOut)
    const pruned = await pruneBackups({ storage, clock, ...(retainWeeks === undefined ? {} : { retainWeeks }) })
    if (!pruned.ok) callSafely(onProblem, pruned.error)
    return ok({ id: taken.value.id })
  }
}
