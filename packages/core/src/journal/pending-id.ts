/** The id of what waits: made from its content, so that the same proposal held ten times is one entry, found without a search. */
import type { MemoryOp, MemoryTarget } from '../memory/memory-op.ts'
import { canonicalJson } from '../shared/canonical-json.ts'
import type { SkillOp } from '../skills/skill-op.ts'

const ID_BYTES = 12

/** 24 hex digits of the SHA-256 of target and operations. */
export const pendingId = async (target: MemoryTarget | 'skill', ops: readonly (MemoryOp | SkillOp)[]): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalJson({ target, ops })))
  return Array.from(new Uint8Array(digest).slice(0, ID_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
