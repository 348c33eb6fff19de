/** What is known about a skill that was put away, and what archiving and restoring answer. */
import type { SkillFolder } from '../skill-discovery.ts'

export interface ArchivedSkill {
  /** Names it for certain, such as `.archive/deploy-20260512101500`. */
  readonly id: string
  /** The front matter's, which is the key of its usage record; the folder's without its time stamp where there is none. */
  readonly name: string
  /** Below the archive, such as `deploy-20260512101500`. */
  readonly path: string
  /** The path it had below the folder of skills, such as `devops/deploy`; `undefined` where another program put it away. */
  readonly from: string | undefined
  readonly category: string | undefined
  /** Epoch milliseconds; 0 = not known. */
  readonly archivedAt: number
  readonly reason: string | undefined
  /** The skill that holds its content now. */
  readonly absorbedInto?: string | undefined
  readonly description?: string | undefined
}

export interface ArchiveOptions {
  /** Why, in words, for whoever looks for it later. */
  readonly reason: string
  /** Any name of a living skill that holds the content from now on. */
  readonly absorbedInto?: string | undefined
  /** Epoch milliseconds. Default: now. */
  readonly at?: number | undefined
}

export interface RestoredSkill {
  /** Where it lives again. */
  readonly skill: SkillFolder & { readonly name: string }
  /** What the archive knew of it. */
  readonly archived: ArchivedSkill
  /** Others in the archive that answer to the same name, newest first; restored by their ids. */
  readonly others: readonly ArchivedSkill[]
}
