/** What is known about an archived skill, and the results of archiving and restoring. */
import type { HermesError } from '../../shared/hermes-error.ts'
import type { SkillFolder } from '../skill-discovery.ts'

export interface ArchivedSkill {
  /** Unique, such as `.archive/deploy-20260512101500`. */
  readonly id: string
  /** The front matter's name, which is the key of its usage record; otherwise the folder's name without its time stamp. */
  readonly name: string
  /** Relative to the archive, such as `deploy-20260512101500`. */
  readonly path: string
  /** Its former path relative to the skills folder, such as `devops/deploy`; `undefined` if another program archived it. */
  readonly from: string | undefined
  readonly category: string | undefined
  /** Epoch milliseconds; 0 if unknown. */
  readonly archivedAt: number
  readonly reason: string | undefined
  /** The skill that holds the content now. */
  readonly absorbedInto?: string | undefined
  readonly description?: string | undefined
}

export interface ArchiveOptions {
  /** Free text for people. */
  readonly reason: string
  /** Any name of a live skill that holds the content from now on. */
  readonly absorbedInto?: string | undefined
  /** Epoch milliseconds. Default: now. */
  readonly at?: number | undefined
}

export interface RestoredSkill {
  /** Where the skill is now. */
  readonly skill: SkillFolder & { readonly name: string }
  /** The former archive entry. */
  readonly archived: ArchivedSkill
  /** Other archive entries with the same name, newest first; restore them by id. */
  readonly others: readonly ArchivedSkill[]
}

const OWN_FAILURES: readonly HermesError['code'][] = ['not_found', 'occupied', 'invalid_path', 'ambiguous', 'unreadable', 'invalid']

/** True if archiving failed for this skill alone; any other error comes from the storage. */
export const concernsOneSkill = ({ code }: HermesError): boolean => OWN_FAILURES.includes(code)
