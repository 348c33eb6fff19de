/** The id of a held proposal, derived from its content, so that the same proposal held again is the same entry. */
import type { MemoryOp, MemoryTarget } from '../memory/memory-op.ts'
import { canonicalJson } from '../shared/canonical-json.ts'
import { sha256OfText } from '../shared/sha256.ts'
import type { SkillOp } from '../skills/skill-op.ts'

const ID_DIGITS = 24

/** 24 hex digits of the SHA-256 of target and operations. */
export const pendingId = async (target: MemoryTarget | 'skill', ops: readonly (MemoryOp | SkillOp)[]): Promise<string> => {
  const hash = await sha256OfText(canonicalJson({ target, ops }))
  return hash.slice(0, ID_DIGITS)
}
