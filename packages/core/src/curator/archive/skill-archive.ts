/**
 * Archives and restores skills at a person's request. Pins and the bundled and hub markers are checked first (reference skills-curator 5
 * and 9).
 */
import { type HostActor, toSkillRecord } from '../../journal/host-writes.ts'
import type { Journal } from '../../journal/journal.ts'
import { readOwnershipMarks } from '../../ownership/ownership-marks.ts'
import type { SkillHome } from '../../ownership/skill-home.ts'
import { describeProtection, judgeOwnership } from '../../ownership/skill-ownership.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import type { ArchivedSkill, RestoredSkill } from '../../skills/archive.ts'
import { findArchived, liveFolderOf } from '../../skills/restore-skill.ts'
import { isNameLive } from '../../skills/skill-view.ts'
import { checkNoRollback } from '../rollback/rollback-state.ts'

export interface SkillArchiveDeps extends SkillHome {
  readonly journal?: Pick<Journal, 'append'> | undefined
  /** Who makes the change, for the journal. Default `host`. */
  readonly actor?: HostActor
}

/** `problems`: the folder has moved, but the record or the journal could not be written. The next curator run repairs the record. */
export interface ArchiveOutcome {
  readonly archived: ArchivedSkill
  readonly problems: readonly HermesError[]
}

/** `problems`: as in `ArchiveOutcome`. */
export interface RestoreOutcome {
  readonly restored: RestoredSkill
  readonly problems: readonly HermesError[]
}

const failuresOf = (results: readonly (Result<unknown> | undefined)[]): readonly HermesError[] =>
  results.flatMap((result) => (result && !result.ok ? [result.error] : []))

const refuse = (message: string): HermesError => new HermesError('rejected', message)

/**
 * `rejected` for a pinned, bundled or hub skill, with the reason and what to do. A skill that a user wrote is allowed, since a person
 * asks.
 */
const checkMayGo = async (target: string, { skills, usage, storage, clock }: SkillArchiveDeps) => {
  const settled = await checkNoRollback(storage)
  if (!settled.ok) return settled
  const marks = await readOwnershipMarks(storage, { clock })
  if (!marks.ok) return marks
  const records = await usage.load()
  if (!records.ok) return records
  const viewed = await skills.view(target)
  if (!viewed.ok) return viewed
  const skill = viewed.value
  const { pinned, owner } = judgeOwnership(skill, records.value.get(skill.name), marks.value)
  if (pinned) return err(refuse(`The skill '${skill.name}' is pinned. Unpin it first.`))
  if (owner === 'bundled') return err(refuse(`${describeProtection(owner, skill.name)} Remove it at its source.`))
  if (owner === 'hub') return err(refuse(`${describeProtection(owner, skill.name)} To take it away: hermes skills uninstall ${skill.name}`))
  return ok(skill)
}

export interface ArchiveSkillOptions {
  /** Free text, stored in the archive. */
  readonly reason?: string | undefined
  /** The skill that holds the content from now on. */
  readonly absorbedInto?: string | undefined
}

/** `rejected` for a pinned, bundled or hub skill; `not_found`, `ambiguous`; `locked` while a rollback is unfinished. */
export const archiveSkill = async (
  target: string,
  deps: SkillArchiveDeps,
  { reason = 'archived by hand', absorbedInto }: ArchiveSkillOptions = {},
): Promise<Result<ArchiveOutcome>> => {
  const { skills, usage, journal, actor = 'host', clock } = deps
  const skill = await checkMayGo(target, deps)
  if (!skill.ok) return skill
  const { name, path } = skill.value
  const archived = await skills.archive(`${path}/SKILL.md`, { reason, absorbedInto, at: clock() })
  if (!archived.ok) return archived
  // If another live skill has the name, the record belongs to that skill and is not changed.
  const recorded = (await isNameLive(name, skills)) ? undefined : await usage.setState(name, 'archived')
  const op = { action: 'archive', name, ...(absorbedInto === undefined ? {} : { absorbedInto }) } as const
  const journalled = await journal?.append([{ actor, kind: 'applied', target: 'skill', op, reason }])
  return ok({ archived: archived.value, problems: failuresOf([recorded, journalled]) })
}

/** Finds the skill to restore, so that its owner can be checked before anything moves. */
const checkRestorable = async (nameOrId: string, { skills, storage, clock }: SkillArchiveDeps): Promise<Result<void>> => {
  const settled = await checkNoRollback(storage)
  if (!settled.ok) return settled
  const marks = await readOwnershipMarks(storage, { clock })
  if (!marks.ok) return marks
  const listed = await skills.listArchived()
  if (!listed.ok) return listed
  const found = findArchived(nameOrId.trim(), listed.value)
  if (!found.ok) return found
  const { skill } = found.value
  const { name } = skill
  const { owner } = judgeOwnership({ ...liveFolderOf(skill), name }, undefined, marks.value)
  if (owner !== 'bundled' && owner !== 'hub') return ok(undefined)
  return err(
    refuse(
      `The name '${name}' belongs to a skill that came ${owner === 'hub' ? 'from a hub' : 'with the product'}. Rename or remove that one first.`,
    ),
  )
}

/**
 * Moves the skill back to its place, sets it to active and counts one misjudgement. `rejected` if the name is a hub or bundled skill's;
 * `not_found` with similar names; `occupied` if a live skill has its name or place.
 */
export const restoreSkill = async (nameOrId: string, deps: SkillArchiveDeps): Promise<Result<RestoreOutcome>> => {
  const { skills, usage, journal, actor = 'host' } = deps
  const allowed = await checkRestorable(nameOrId, deps)
  if (!allowed.ok) return allowed
  const restored = await skills.restore(nameOrId)
  if (!restored.ok) return restored
  const recorded = await usage.restore(restored.value.skill.name)
  const journalled = await journal?.append([toSkillRecord({ kind: 'restored', restored: restored.value }, actor)])
  return ok({ restored: restored.value, problems: failuresOf([recorded, journalled]) })
}
