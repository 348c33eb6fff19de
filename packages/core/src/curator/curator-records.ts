/** The journal records of the `hermes.curator` verbs; none if nothing changed. Pure. */
import { type HostActor, toUpkeepRecord } from '../journal/host-writes.ts'
import type { JournalRecordInput } from '../journal/journal.ts'
import type { GrantScope, OwnershipGrant } from '../ownership/ownership-grant.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import type { Result } from '../shared/result.ts'
import type { ArchivedSkill } from '../skills/archive.ts'
import type { PrunedWithBackup } from './archive/prune-archive.ts'
import type { SkillBackup } from './backup/backup-manifest.ts'
import type { PinnedSkill } from './pin-skill.ts'
import type { RollbackReport } from './rollback/rollback-run.ts'
import type { CuratorStateChanged } from './schedule/curator-state.ts'

/** Takes the outcome of a verb; an error may have records too. */
export type RecordsOf<T> = (outcome: Result<T>, actor: HostActor) => readonly JournalRecordInput[]

const nothing: readonly JournalRecordInput[] = []

const scopeText = (scope: GrantScope): string => {
  if ('all' in scope) return 'all skills of the person'
  return 'category' in scope ? `the category ${scope.category}` : scope.skills.join(', ')
}

const grantText = ({ scope, allow, until }: OwnershipGrant): string =>
  `${scopeText(scope)}: ${allow.join(', ')}${until === undefined ? '' : ` until ${new Date(until).toISOString()}`}`

export const pinRecords: RecordsOf<PinnedSkill> = (outcome, actor) => {
  if (!outcome.ok || !outcome.value.changed) return nothing
  const { name, pinned } = outcome.value
  const [before, after] = pinned ? ['not pinned', 'pinned'] : ['pinned', 'not pinned']
  const upkeep = { action: pinned ? 'pin' : 'unpin', subject: name, before, after } as const
  return [toUpkeepRecord(upkeep, `The skill '${name}' was ${pinned ? 'pinned' : 'unpinned'}.`, actor)]
}

export const pauseRecords: RecordsOf<CuratorStateChanged> = (outcome, actor) => {
  if (!outcome.ok || !outcome.value.changed) return nothing
  const { paused } = outcome.value.state
  const upkeep = paused
    ? ({ action: 'pause', before: 'running', after: 'paused' } as const)
    : ({ action: 'resume', before: 'paused', after: 'running' } as const)
  return [toUpkeepRecord(upkeep, `The curator was ${paused ? 'paused' : 'resumed'}.`, actor)]
}

export const manageRecords: RecordsOf<OwnershipGrant> = (outcome, actor) => {
  if (!outcome.ok) return nothing
  const upkeep = { action: 'manage', subject: scopeText(outcome.value.scope), after: grantText(outcome.value) } as const
  return [toUpkeepRecord(upkeep, `Handed over to the curator: ${grantText(outcome.value)}.`, actor)]
}

export const unmanageRecords =
  (scope: GrantScope): RecordsOf<readonly OwnershipGrant[]> =>
  (outcome, actor) => {
    if (!outcome.ok) return nothing
    const after = outcome.value.length === 0 ? 'nothing is handed over' : outcome.value.map(grantText).join('; ')
    const subject = scopeText(scope)
    return [toUpkeepRecord({ action: 'unmanage', subject, after }, `Taken back from the curator: ${subject}.`, actor)]
  }

export const backupRecords: RecordsOf<SkillBackup> = (outcome, actor) => {
  if (!outcome.ok) return nothing
  const { id, archive, reason } = outcome.value
  return [toUpkeepRecord({ action: 'backup', subject: id, after: archive }, `A backup of all skills was taken (${reason}).`, actor)]
}

/** An interrupted rollback names its safety snapshot in its error; one that changed nothing has none. */
const haltedRollback = (error: HermesError, actor: HostActor): readonly JournalRecordInput[] => {
  const { target, safety } = error.details
  if (typeof target !== 'string' || typeof safety !== 'string') return nothing
  const { code, message } = error
  const record = toUpkeepRecord({ action: 'rollback', subject: target, before: safety }, message, actor)
  return [{ ...record, kind: 'failed', error: { code, message } }]
}

export const rollbackRecords: RecordsOf<RollbackReport> = (outcome, actor) => {
  if (!outcome.ok) return haltedRollback(outcome.error, actor)
  const { id, safetyId } = outcome.value
  const reason = `All skills were restored from the backup '${id}'; the skills before that are in the backup '${safetyId}'.`
  return [toUpkeepRecord({ action: 'rollback', subject: id, before: safetyId, after: id }, reason, actor)]
}

/** One record for each deleted skill, also if the verb stopped before the last one. */
export const pruneRecords =
  (entries: readonly ArchivedSkill[]): RecordsOf<PrunedWithBackup> =>
  (outcome, actor) => {
    const gone: unknown = outcome.ok ? outcome.value.removed.map(({ id }) => id) : outcome.error.details['removed']
    const after = outcome.ok && outcome.value.backupId !== undefined ? { after: `in the backup '${outcome.value.backupId}'` } : {}
    return entries
      .filter(({ id }) => Array.isArray(gone) && gone.includes(id))
      .map(({ id, name }) =>
        toUpkeepRecord(
          { action: 'prune', subject: name, before: id, ...after },
          `The archived skill '${id}' was deleted permanently.`,
          actor,
        ),
      )
  }
