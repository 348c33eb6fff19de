/** Keeps a giant text out of the journal: the record says what was asked and how long it was, not all of it. */
import { MAX_OP_CHARS, type MemoryOp } from '../memory/memory-op.ts'

const cutText = (text: string): string =>
  text.length <= MAX_OP_CHARS
    ? text
    : // A character that takes two units is not cut in half.
      `${text.slice(0, MAX_OP_CHARS).replace(/[\ud800-\udbff]$/, '')} [… cut: ${text.length.toLocaleString('en')} characters in all]`

/** The same operation with texts of at most 16,000 characters and a mark behind them. */
export const cutOp = (op: MemoryOp): MemoryOp => {
  if (op.action === 'add') return { ...op, content: cutText(op.content) }
  if (op.action === 'replace') return { ...op, oldText: cutText(op.oldText), content: cutText(op.content) }
  return { ...op, oldText: cutText(op.oldText) }
}
