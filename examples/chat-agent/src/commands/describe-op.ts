/** One memory operation in words: `replace user: Oslo → Bergen`. */
import type { MemoryOp } from '@hermes/core'
import { oneLine } from '../terminal/clean-text.ts'

export const describeOp = (target: string, op: MemoryOp): string => {
  const before = op.action === 'add' ? [] : [op.oldText]
  const after = op.action === 'remove' ? [] : [op.content]
  return `${op.action} ${target}: ${oneLine([...before, ...after].join(' → '))}`
}
