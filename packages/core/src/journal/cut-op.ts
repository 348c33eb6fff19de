/** Shortens very long texts for the journal: the record says what was requested and how long it was. */
import { MAX_OP_CHARS, type MemoryOp } from '../memory/memory-op.ts'
import type { SkillOp } from '../skills/skill-op.ts'

const cutText = (text: string): string =>
  text.length <= MAX_OP_CHARS
    ? text
    : // Does not split a surrogate pair.
      `${text.slice(0, MAX_OP_CHARS).replace(/[\ud800-\udbff]$/, '')} [… cut: ${text.length.toLocaleString('en')} characters in all]`

/**
 * The same operation with texts cut to 16,000 characters and a mark. Undo does not need them: a created skill is archived again, and
 * other changes are undone from the record's `previous`, which is complete.
 */
export const cutOp = (op: MemoryOp | SkillOp): MemoryOp | SkillOp => {
  switch (op.action) {
    case 'replace':
      return { ...op, oldText: cutText(op.oldText), content: cutText(op.content) }
    case 'remove':
      return { ...op, oldText: cutText(op.oldText) }
    case 'patch':
      return { ...op, oldText: cutText(op.oldText), newText: cutText(op.newText) }
    case 'remove_file':
    case 'archive':
      return op
    default:
      return { ...op, content: cutText(op.content) }
  }
}
