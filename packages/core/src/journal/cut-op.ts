/** Keeps a giant text out of the journal: the record says what was asked and how long it was, not all of it. */
import { MAX_OP_CHARS, type MemoryOp } from '../memory/memory-op.ts'
import type { SkillOp } from '../skills/skill-op.ts'

const cutText = (text: string): string =>
  text.length <= MAX_OP_CHARS
    ? text
    : // A character that takes two units is not cut in half.
      `${text.slice(0, MAX_OP_CHARS).replace(/[\ud800-\udbff]$/, '')} [… cut: ${text.length.toLocaleString('en')} characters in all]`

/**
 * The same operation with texts of at most 16,000 characters and a mark behind them. What undoes it does not stand here: a created skill is archived again, and any
 * other change is undone from the record's `previous`, which stays whole.
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
