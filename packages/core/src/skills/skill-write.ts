/** What a `SkillStore` reports about a change it has written, for the journal. */
import { equalBytes } from '../shared/equal-bytes.ts'
import type { ArchivedSkill, RestoredSkill } from './archive/archived-skill.ts'
import type { SkillChange } from './skill-change.ts'
import type { SkillOp } from './skill-op.ts'
import type { SkillPlan } from './skill-plan.ts'

export type SkillWrite =
  /** `before`: the former bytes of the file; undefined if there was none. */
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

/** The content of a file for display; a description if it is not text. */
export const toShownText = (content: string | Uint8Array): string => (typeof content === 'string' ? content : decodeText(content))

/** Undefined if the file did not change. */
export const toChangedSkill = ({ skill: { name }, before, after }: SkillChange, op: SkillPlan['op']): SkillWrite | undefined => {
  if (before && after && equalBytes(before, after)) return undefined
  return { kind: 'changed', op: op.action === 'write_file' ? { ...op, name, content: toShownText(op.content) } : { ...op, name }, before }
}
