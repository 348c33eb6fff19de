/** What a `SkillStore` tells of a change that it has written, so that whoever hands the store out can keep a record of it. */
import { equalBytes } from '../shared/equal-bytes.ts'
import type { ArchivedSkill, RestoredSkill } from './archive/archived-skill.ts'
import type { SkillChange } from './skill-change.ts'
import type { SkillOp } from './skill-op.ts'

export type SkillWrite =
  /** `before`: the bytes of the file concerned; undefined where there was none. */
  | { readonly kind: 'changed'; readonly op: SkillOp; readonly before: Uint8Array | undefined }
  | { readonly kind: 'archived'; readonly archived: ArchivedSkill }
  | { readonly kind: 'restored'; readonly restored: RestoredSkill }

const decodeText = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return `[${bytes.length.toLocaleString('en')} bytes that are not text]`
  }
}

/** What a file held or is given, in words where it is no text. */
export const toShownText = (content: string | Uint8Array): string => (typeof content === 'string' ? content : decodeText(content))

/** Undefined for a change that left the file as it was. */
export const toChangedSkill = ({ skill, before, after }: SkillChange, toOp: (name: string) => SkillOp): SkillWrite | undefined =>
  before && after && equalBytes(before, after) ? undefined : { kind: 'changed', op: toOp(skill.name), before }
