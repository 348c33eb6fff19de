/** Finds the backup that a person means: an id, a day, the beginning of an id, or the newest (seed 003: `rollback 2026-05-16`). Pure. */
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import type { SkillBackup } from './backup-manifest.ts'
import { dayOf } from './backup-name.ts'

const MAX_SHOWN = 10

const choices = (backups: readonly SkillBackup[]): string => {
  if (backups.length === 0) return 'There is no backup yet.'
  const shown = backups.slice(0, MAX_SHOWN).map(({ id, reason }) => `${id} (${reason})`)
  const rest = backups.length > MAX_SHOWN ? ` and ${backups.length - MAX_SHOWN} older ones` : ''
  return `There are: ${shown.join(', ')}${rest}.`
}

const idsOf = (backups: readonly SkillBackup[]): readonly string[] => backups.map(({ id }) => id)

/**
 * `backups`: newest first. A UTC day stands for its newest backup. `not_found` and `ambiguous` list the choices in `details.candidates`.
 */
export const resolveBackup = (backups: readonly SkillBackup[], target?: string): Result<SkillBackup> => {
  const wanted = target?.trim().replace(/_curator(?:\.tar\.gz|\.json)?$/, '')
  const [newest] = backups
  if (wanted === undefined) {
    if (newest) return ok(newest)
    return err(new HermesError('not_found', 'There is no backup to go back to yet.', { details: { candidates: [] } }))
  }
  const found = backups.find(({ id }) => id === wanted) ?? backups.find(({ id }) => dayOf(id) === wanted)
  if (found) return ok(found)
  const similar = wanted === '' ? [] : backups.filter(({ id }) => id.startsWith(wanted))
  const [only] = similar
  if (only && similar.length === 1) return ok(only)
  const shown = `'${wanted.slice(0, 80)}'`
  if (similar.length > 1) {
    const message = `${shown} is the beginning of ${similar.length} backups. Name one of them: ${choices(similar)}`
    return err(new HermesError('ambiguous', message, { details: { candidates: idsOf(similar) } }))
  }
  const message = `There is no backup ${shown}. Name a day such as 2026-05-16, or an id. ${choices(backups)}`
  return err(new HermesError('not_found', message, { details: { candidates: idsOf(backups) } }))
}
