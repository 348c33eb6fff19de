/** Which row of the evidence table new content belongs to, by its source. */
import type { MemoryTarget } from '../memory/memory-op.ts'
import type { EvidenceRowName } from './evidence-table.ts'
import type { Source } from './find-source.ts'
import { instructionLikeFor } from './instruction-like.ts'
import type { Judgement } from './judgement.ts'
import type { GateContext } from './review-gate.ts'

const rowOf = (target: MemoryTarget, content: string, source: Source): EvidenceRowName => {
  if (source.origin === 'user') return 'user-said'
  if (target === 'user') return 'profile-not-said'
  if (source.origin === 'assistant') return 'agent-note'
  return source.binding === true || instructionLikeFor(target, content) !== undefined ? 'outside-rule' : 'outside-fact'
}

export const judgeSource = (target: MemoryTarget, content: string, source: Source | undefined, context: GateContext): Judgement => {
  if (source) return { row: rowOf(target, content, source), origin: source.origin, messageIds: source.messageIds }
  // Nobody knows where it comes from, so it is trusted no more than what else was in sight.
  const fromOutside = context.transcript.some((message) => message.origin === 'tool')
  return { row: 'no-evidence', origin: fromOutside ? 'tool' : 'assistant', messageIds: [] }
}
