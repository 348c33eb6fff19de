/** A person's verbs: put a skill away, bring it back. The pin, the product and the hub are asked first (reference skills-curator 5 and 9). */
import { type HostActor, toSkillRecord } from '../../journal/host-writes.ts'
import type { Journal } from '../../journal/journal.ts'
import { readOwnershipMarks } from '../../ownership/ownership-marks.ts'
import { describeProtection, judgeOwnership } from '../../ownership/skill-ownership.ts'
import { type Clock, systemClock } from '../../shared/clock.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import type { ArchivedSkill, RestoredSkill } from '../../skills/archive/archived-skill.ts'
import { findArchived, liveFolderOf } from '../../skills/archive/restore-skill.ts'
import { isNameLive } from '../../skills/is-name-live.ts'
import type { SkillStore } from '../../skills/skill-store.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import type { UsageStore } from '../../usage/usage-store.ts'
import { checkNoRollback } from '../rollback/rollback-state.ts'

export interface SkillArchiveDeps {
  readonly skills: Pick<SkillStore, 'view' | 'archive' | 'restore' | 'listArchived'>
  readonly usage: Pick<UsageStore, 'load' | 'setState' | 'restore'>
  readonly storage: StorageBackend
  /** Default: the machine's time. */
  readonly clock?: Clock
  readonly journal?: Pick<Journal, 'append'> | undefined
  /** Who does it, for the journal. Default `host`. */
  readonly actor?: HostActor
}

/** `problems`: the folder has moved, but the record or the journal could not be written. The next curator run puts the record right. */
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

/** A pinned, bundled or hub skill stays: `rejected`, with why and what to do. A user's own may go: it is a person who asks. */
const checkMayGo = async (target: string, { skills, usage, storage, clock = systemClock }: SkillArchiveDeps) => {
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
  if (owner === 'bundled' || owner === 'hub') return err(refuse(`${describeProtection(owner, skill.name)} Remove it where it came from.`))
  return ok(skill)
}

export interface ArchiveSkillOptions {
  /** In words, for whoever looks for it later. */
  readonly reason?: string | undefined
  /** The skill that holds its content from now on. */
  readonly absorbedInto?: string | undefined
}

/** `rejected` for a pinned, bundled or hub skill; `not_found`, `ambiguous`; `locked` while a rollback is unfinished. */
export const archiveSkill = async (
  target: string,
  deps: SkillArchiveDeps,
  { reason = 'put away by hand', absorbedInto }: ArchiveSkillOptions = {},
): Promise<Result<ArchiveOutcome>> => {
  const { skills, usage, journal, actor = 'host', clock = systemClock } = deps
  const skill = await checkMayGo(target, deps)
  if (!skill.ok) return skill
  const { name, path } = skill.value
  const archived = await skills.archive(`${path}/SKILL.md`, { reason, absorbedInto, at: clock() })
  if (!archived.ok) return archived
  // Another living skill of that name: the record is then its own, and stays as it is.
  const recorded = (await isNameLive(name, skills)) ? undefined : await usage.setState(name, 'archived')
  const op = { action: 'archive', name, ...(absorbedInto === undefined ? {} : { absorbedInto }) } as const
  const told = await journal?.append([{ actor, verdict: 'applied', target: 'skill', op, reason }])
  return ok({ archived: archived.value, problems: failuresOf([recorded, told]) })
}

/** What is to come back, so that it can be asked whose it is before anything moves. */
const checkMayComeBack = async (nameOrId: string, { skills, storage, clock = systemClock }: SkillArchiveDeps): Promise<Result<void>> => {
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
      `The name '${name}' belongs to a skill that ${owner === 'hub' ? 'a hub' : 'the product'} brought. Rename or remove that one first.`,
    ),
  )
}

/**
 * Back to where it was, active from now on, and one vote against having put it away. `rejected` where the hub or the product has the name;
 * `not_found` with what is close to it; `occupied` where a living skill has its name or place.
 */
export const restoreSkill = async (nameOrId: string, deps: SkillArchiveDeps): Promise<Result<RestoreOutcome>> => {
  const { skills, usage, journal, actor = 'host' } = deps
  const allowed = await checkMayComeBack(nameOrId, deps)
  if (!allowed.ok) return allowed
  const restored = await skills.restore(nameOrId)
  if (!restored.ok) return restored
  const recorded = await usage.restore(restored.value.skill.name)
  const told = await journal?.append([toSkillRecord({ kind: 'restored', restored: restored.value }, actor)])
  return ok({ restored: restored.value, problems: failuresOf([recorded, told]) })
}
