/** Decides who owns a skill, and whether an automatic change is allowed (seed 000, reference skills-curator 5). Pure. */
import type { UsageRecord } from '../usage/usage-record.ts'
import type { HubSkills } from './hub-lock.ts'
import { coversSkill, GRANTED_STEPS, type GrantedStep, type GrantSubject } from './ownership-grant.ts'
import type { OwnershipMarks } from './ownership-marks.ts'

export type SkillOwner = 'agent' | 'user' | 'bundled' | 'hub'

export type SkillProtection = 'pinned' | 'bundled' | 'hub' | 'not-agent-created'

export interface SkillGrant {
  /** The union, if several grants cover the skill. */
  readonly allow: readonly GrantedStep[]
  /** Epoch milliseconds of the last grant. The skill's age counts from here at the earliest. */
  readonly grantedAt: number
}

export interface SkillOwnership {
  readonly owner: SkillOwner
  readonly pinned: boolean
  /**
   * Why no automatic change of the skill is allowed; `undefined`: it is. A skill granted for ageing only has `not-agent-created` here,
   * since its text may not be changed: use `protectionAgainst` for a single step.
   */
  readonly protection?: SkillProtection
  /** For a user's skill with a grant. */
  readonly grant?: SkillGrant
}

/** A package of several skills is installed as one folder. */
const isInstalledAt = (path: string, { paths }: HubSkills): boolean =>
  path.split('/').some((_, index, segments) => paths.has(segments.slice(0, index + 1).join('/')))

const ownerOf = (
  { name, path, folderName }: GrantSubject,
  record: UsageRecord | undefined,
  { bundled, hub }: OwnershipMarks,
): SkillOwner => {
  if (isInstalledAt(path, hub) || hub.names.has(name) || hub.names.has(folderName)) return 'hub'
  if (bundled.has(name) || bundled.has(folderName)) return 'bundled'
  return record?.createdBy === 'agent' ? 'agent' : 'user'
}

const grantFor = (skill: GrantSubject, { grants }: OwnershipMarks): SkillGrant | undefined => {
  const covering = grants.filter((grant) => coversSkill(grant, skill))
  if (covering.length === 0) return undefined
  return {
    allow: GRANTED_STEPS.filter((step) => covering.some(({ allow }) => allow.includes(step))),
    grantedAt: Math.max(...covering.map(({ grantedAt }) => grantedAt)),
  }
}

/** A pin takes precedence, whoever owns the skill. A skill without a record is a user's, whatever its text says. */
export const judgeOwnership = (skill: GrantSubject, record: UsageRecord | undefined, marks: OwnershipMarks): SkillOwnership => {
  const owner = ownerOf(skill, record, marks)
  const pinned = record?.pinned ?? false
  const grant = owner === 'user' ? grantFor(skill, marks) : undefined
  const foreign = owner === 'user' ? (grant?.allow.includes('merge') ? undefined : 'not-agent-created') : owner
  const protection = pinned ? 'pinned' : foreign === 'agent' ? undefined : foreign
  return { owner, pinned, ...(protection ? { protection } : {}), ...(grant ? { grant } : {}) }
}

/** Why the curator may not take this step with the skill; `undefined`: it may. */
export const protectionAgainst = ({ owner, pinned, grant }: SkillOwnership, step: GrantedStep): SkillProtection | undefined => {
  if (pinned) return 'pinned'
  if (owner === 'agent') return undefined
  if (owner !== 'user') return owner
  return grant?.allow.includes(step) ? undefined : 'not-agent-created'
}

/** One sentence for the journal and the model: why the skill is not changed. */
export const describeProtection = (protection: SkillProtection, name: string): string => {
  switch (protection) {
    case 'pinned':
      return `The skill '${name}' is pinned, so nothing may change it automatically.`
    case 'bundled':
      return `The skill '${name}' came with the product, so nothing may change it automatically.`
    case 'hub':
      return `The skill '${name}' was installed from a hub, so nothing may change it automatically.`
    case 'not-agent-created':
      return `The skill '${name}' was not written by the agent, so nothing may change it automatically unless a person hands it over.`
  }
}
