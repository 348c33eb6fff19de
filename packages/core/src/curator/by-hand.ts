/** What a person does to skills by hand: archive, restore, pin, hand over to the curator and take back, each in one update (reference skills-curator 5 and 9). */
import { toSkillRecord, toUpkeepRecord } from '../journal/host-writes.ts'
import { createJournal, type Journal } from '../journal/journal.ts'
import { type GrantTerms, grantManagement, revokeManagement } from '../ownership/grants.ts'
import { identifierOf, keepSource, returnSource, type SkillSource } from '../ownership/hub-lock.ts'
import {
  describeProtection,
  type GrantScope,
  judgeOwnership,
  type OwnershipGrant,
  readOwnershipMarks,
} from '../ownership/skill-ownership.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { ArchivedSkill, RestoredSkill } from '../skills/archive.ts'
import { findArchived, liveFolderOf } from '../skills/restore-skill.ts'
import { SKILL_FILE } from '../skills/skill-discovery.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { inTransaction } from '../storage/in-transaction.ts'
import { orError } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { Transaction } from '../storage/transaction.ts'
import { UsageStore } from '../usage/usage-store.ts'
import type { CuratorHome } from './curator-home.ts'

export interface ArchiveOutcome {
  readonly archived: ArchivedSkill
  /** Of a skill that was uninstalled: where it came from. */
  readonly source?: SkillSource | undefined
}

export interface RestoreOutcome {
  readonly restored: RestoredSkill
}

export interface PinnedSkill {
  readonly name: string
  readonly pinned: boolean
  /** `false` if the skill was already in that state. */
  readonly changed: boolean
}

export interface ArchiveSkillOptions {
  /** Free text, stored in the archive. */
  readonly reason?: string | undefined
  /** The skill that holds the content from now on. */
  readonly absorbedInto?: string | undefined
  /** For an installed skill, and only for one: where it came from is kept until it is restored. Default: an installed skill is refused. */
  readonly uninstall?: boolean | undefined
}

interface Stores {
  readonly over: StorageBackend
  readonly skills: SkillStore
  readonly usage: UsageStore
  readonly journal: Journal
}

/** Does the work over stores of its own and writes in one update what it did there; over a transaction, with the stores of the home, which know its skills already. */
const inOneUpdate = <T>(
  { storage, clock, createId, undoes, skills, usage }: CuratorHome,
  work: (stores: Stores) => Promise<Result<T>>,
): Promise<Result<T>> => {
  const journalOver = (over: StorageBackend) => createJournal({ storage: over, clock, createId, undoes })
  if (storage instanceof Transaction) return orError(() => work({ over: storage, skills, usage, journal: journalOver(storage) }))
  return orError(() =>
    inTransaction(storage, (over) =>
      work({
        over,
        skills: new SkillStore({ storage: over, clock }),
        usage: new UsageStore({ storage: over, clock }),
        journal: journalOver(over),
      }),
    ),
  )
}

const refuse = (message: string): Result<never> => err(new HermesError('rejected', message))

/** A skill as it is viewed, with its owner and pin. */
const viewOwned = async (target: string, { clock }: CuratorHome, { over, skills, usage }: Stores) => {
  const marks = await readOwnershipMarks(over, { clock })
  if (!marks.ok) return marks
  const records = await usage.load()
  if (!records.ok) return records
  const viewed = await skills.view(target)
  if (!viewed.ok) return viewed
  const { pinned, owner } = judgeOwnership(viewed.value, records.value.get(viewed.value.name), marks.value)
  return ok({ name: viewed.value.name, path: viewed.value.path, pinned, owner })
}

type OwnedSkill = Extract<Awaited<ReturnType<typeof viewOwned>>, { readonly ok: true }>['value']

const archiveRefusal = ({ name, pinned, owner }: OwnedSkill, uninstall: boolean): string | undefined => {
  if (pinned) return `The skill '${name}' is pinned. Unpin it first.`
  if (owner === 'bundled') return `${describeProtection(owner, name)} Remove it at its source.`
  if (owner === 'hub' && !uninstall) return `${describeProtection(owner, name)} To take it away: hermes skills uninstall ${name}`
  return undefined
}

const takeSource = async (over: StorageBackend, skill: Parameters<typeof keepSource>[1]): Promise<Result<SkillSource | undefined>> => {
  const kept = await keepSource(over, skill)
  if (!kept.ok || kept.value) return kept
  return refuse(
    `'skills/.hub/lock.json' has no origin for the skill '${skill.name}' alone. If it is your own: hermes curator archive ${skill.name}. If it is one of several that were installed as one folder, remove it at its source.`,
  )
}

/** `rejected` for a pinned, bundled or hub skill, with the reason and what to do; a skill that a user wrote is allowed, since a person asks. `not_found`, `ambiguous`. */
export const archiveByHand = (
  target: string,
  home: CuratorHome,
  { reason = 'archived by hand', absorbedInto, uninstall = false }: ArchiveSkillOptions = {},
): Promise<Result<ArchiveOutcome>> =>
  inOneUpdate(home, async (stores) => {
    const { over, skills, journal } = stores
    const skill = await viewOwned(target, home, stores)
    if (!skill.ok) return skill
    const { name, path } = skill.value
    const refusal = archiveRefusal(skill.value, uninstall)
    if (refusal !== undefined) return refuse(refusal)
    const archived = await skills.archive(`${path}/${SKILL_FILE}`, { reason, absorbedInto, at: home.clock(), author: {} })
    if (!archived.ok) return archived
    const source = uninstall ? await takeSource(over, { name, path, id: archived.value.id }) : ok(undefined)
    if (!source.ok) return source
    const op = { action: 'archive', name, ...(absorbedInto === undefined ? {} : { absorbedInto }) } as const
    const why = source.value ? `${reason} It came from ${identifierOf(source.value)}.` : reason
    const written = await journal.append([{ actor: home.actor, kind: 'applied', target: 'skill', op, reason: why }])
    return written.ok ? ok({ archived: archived.value, ...(source.value ? { source: source.value } : {}) }) : written
  })

/**
 * Moves the skill back to its place, sets it to active and counts one misjudgement. `rejected` if the name is a hub or bundled skill's;
 * `not_found` with similar names; `occupied` if a live skill has its name or place.
 */
export const restoreByHand = (nameOrId: string, home: CuratorHome): Promise<Result<RestoreOutcome>> =>
  inOneUpdate(home, async ({ over, skills, journal }) => {
    const marks = await readOwnershipMarks(over, { clock: home.clock })
    if (!marks.ok) return marks
    const listed = await skills.listArchived()
    if (!listed.ok) return listed
    // Its owner is checked before anything moves.
    const found = findArchived(nameOrId.trim(), listed.value)
    if (!found.ok) return found
    const { skill } = found.value
    const { owner } = judgeOwnership({ ...liveFolderOf(skill), name: skill.name }, undefined, marks.value)
    if (owner === 'bundled' || owner === 'hub') {
      const source = owner === 'hub' ? 'from a hub' : 'with the product'
      return refuse(`The name '${skill.name}' belongs to a skill that came ${source}. Rename or remove that one first.`)
    }
    const restored = await skills.restore(nameOrId)
    if (!restored.ok) return restored
    const returned = await returnSource(over, restored.value.archived.id)
    if (!returned.ok) return returned
    const written = await journal.append([toSkillRecord({ kind: 'restored', restored: restored.value }, home.actor)])
    return written.ok ? ok({ restored: restored.value }) : written
  })

/** `rejected` for a bundled or hub skill, which needs no pin; `not_found`, `ambiguous`. */
export const pinByHand = (target: string, pinned: boolean, home: CuratorHome): Promise<Result<PinnedSkill>> =>
  inOneUpdate<PinnedSkill>(home, async (stores) => {
    const { usage, journal } = stores
    const skill = await viewOwned(target, home, stores)
    if (!skill.ok) return skill
    const { name, owner, pinned: before } = skill.value
    if (pinned && (owner === 'bundled' || owner === 'hub')) return refuse(`${describeProtection(owner, name)} It needs no pin.`)
    if (before === pinned) return ok({ name, pinned, changed: false })
    const changed = await (pinned ? usage.pin(name) : usage.unpin(name))
    if (!changed.ok) return changed
    const [was, is] = pinned ? ['not pinned', 'pinned'] : ['pinned', 'not pinned']
    const upkeep = { action: pinned ? 'pin' : 'unpin', subject: name, before: was, after: is } as const
    const written = await journal.append([toUpkeepRecord(upkeep, `The skill '${name}' was ${pinned ? 'pinned' : 'unpinned'}.`, home.actor)])
    return written.ok ? ok({ name, pinned, changed: true }) : written
  })

const scopeText = (scope: GrantScope): string => {
  if ('all' in scope) return 'all skills of the person'
  return 'category' in scope ? `the category ${scope.category}` : scope.skills.join(', ')
}

const grantText = ({ scope, allow, until }: OwnershipGrant): string =>
  `${scopeText(scope)}: ${allow.join(', ')}${until === undefined ? '' : ` until ${new Date(until).toISOString()}`}`

/** Lets the curator manage skills of a person; see `grantManagement`. */
export const handOver = (scope: GrantScope, terms: GrantTerms | undefined, home: CuratorHome): Promise<Result<OwnershipGrant>> =>
  inOneUpdate(home, async ({ over, journal }) => {
    const granted = await grantManagement(over, home.clock, scope, terms)
    if (!granted.ok) return granted
    const upkeep = { action: 'manage', subject: scopeText(granted.value.scope), after: grantText(granted.value) } as const
    const reason = `Handed over to the curator: ${upkeep.after}.`
    const written = await journal.append([toUpkeepRecord(upkeep, reason, home.actor)])
    return written.ok ? granted : written
  })

/** Revokes grants; returns those that remain. */
export const takeBack = (scope: GrantScope, home: CuratorHome): Promise<Result<readonly OwnershipGrant[]>> =>
  inOneUpdate(home, async ({ over, journal }) => {
    const left = await revokeManagement(over, scope)
    if (!left.ok) return left
    const after = left.value.length === 0 ? 'nothing is handed over' : left.value.map(grantText).join('; ')
    const subject = scopeText(scope)
    const written = await journal.append([
      toUpkeepRecord({ action: 'unmanage', subject, after }, `Taken back from the curator: ${subject}.`, home.actor),
    ])
    return written.ok ? left : written
  })
