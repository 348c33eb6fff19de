/** The skill operation and its outcome, for the agent's tool, a reviewer or the host (reference skills-curator 6). */
import type { UsageEventDetails } from '../usage/usage-record.ts'
import type { ArchivedSkill, RestoredSkill } from './archive.ts'

export const SKILL_ACTIONS = ['create', 'edit', 'patch', 'write_file', 'remove_file', 'archive'] as const

export type SkillAction = (typeof SKILL_ACTIONS)[number]

/** `name`: any target that `SkillStore` accepts. No action deletes: skills are archived. */
export type SkillOp =
  | { readonly action: 'create'; readonly name: string; readonly category?: string | undefined; readonly content: string }
  | { readonly action: 'edit'; readonly name: string; readonly content: string }
  | {
      readonly action: 'patch'
      readonly name: string
      readonly oldText: string
      readonly newText: string
      /** A support file. Default: the SKILL.md. */
      readonly filePath?: string | undefined
      readonly replaceAll?: boolean | undefined
    }
  | { readonly action: 'write_file'; readonly name: string; readonly filePath: string; readonly content: string }
  | { readonly action: 'remove_file'; readonly name: string; readonly filePath: string }
  /** `absorbedInto`: the skill that holds the content from now on. */
  | { readonly action: 'archive'; readonly name: string; readonly absorbedInto?: string | undefined }

export interface SkillOpOutcome {
  readonly target: 'skill'
  readonly action: SkillAction
  /** The front matter's name, which is the key of its usage record. */
  readonly name: string
  /** Relative to the skills folder, such as `devops/deploy`; for an archived skill its former path. */
  readonly path: string
  /** Path inside the skill's folder. */
  readonly filePath: string
  readonly message: string
  /** The file's former content, if it was text. */
  readonly previous?: string | undefined
}

/** A change that a `SkillStore` writes, for the log of its writer. */
export type SkillWrite =
  /** `before`: the former bytes of the file; undefined if there was none. */
  | { readonly kind: 'changed'; readonly op: SkillOp; readonly before: Uint8Array | undefined }
  /** `isNameLive`: another live skill has its name, and so its usage record. */
  | { readonly kind: 'archived'; readonly archived: ArchivedSkill; readonly isNameLive: boolean }
  | { readonly kind: 'restored'; readonly restored: RestoredSkill }

/** Who writes a skill, for its usage record. */
export interface SkillAuthor extends UsageEventDetails {
  /** The change corrects a result that the skill led to. Default false. */
  readonly corrects?: boolean
  /** The change repairs the skill after a turn in which a tool failed. Default false. */
  readonly repairs?: boolean
}

/** Lines about what is written, made before it is done, perhaps more than once; pure. */
export interface SkillLog {
  /** Of the document that they are appended to. */
  readonly path: string
  written(write: SkillWrite): Uint8Array
}
