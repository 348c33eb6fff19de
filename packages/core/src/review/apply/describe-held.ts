/** What waits for a person, in a line each, as the next reviewer is told of it. */
import type { PendingProposal } from '../../journal/pending.ts'
import type { MemoryOp } from '../../memory/memory-op.ts'
import type { SkillOp } from '../../skills/skill-op.ts'

const memoryLine = (op: MemoryOp): string => (op.action === 'remove' ? op.oldText : op.content)

const skillText = (op: SkillOp): string => {
  switch (op.action) {
    case 'patch':
      return op.newText
    case 'create':
    case 'edit':
    case 'write_file':
      return op.content
    case 'remove_file':
    case 'archive':
      return ''
  }
}

const skillLine = (op: SkillOp): string => {
  const file = 'filePath' in op && op.filePath !== undefined ? `, ${op.filePath}` : ''
  return `${op.action} the skill ${op.name}${file}: ${skillText(op)}`
}

export const describeHeld = (held: PendingProposal): readonly string[] =>
  held.target === 'skill' ? held.ops.map(skillLine) : held.ops.map(memoryLine)
