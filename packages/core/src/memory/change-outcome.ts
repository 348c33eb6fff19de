/** The result returned to the caller of a written change. Pure. */

import type { WrittenChange } from './change-memory.ts'
import { formatUsage } from './char-budget.ts'
import { describeChange } from './describe-change.ts'
import type { MemoryOpOutcome, MemoryTarget } from './memory-op.ts'

/** `charLimit`: maximum code points of the store. */
export const toOutcome = (target: MemoryTarget, change: WrittenChange, charLimit: number): MemoryOpOutcome => {
  const { usedChars, backupPath, previous, evicted, facts } = change
  return {
    target,
    message: describeChange(target, change, usedChars, charLimit),
    entryCount: change.entries.length,
    usedChars,
    charLimit,
    usage: formatUsage(usedChars, charLimit),
    previous,
    ...(evicted.length > 0 ? { evicted } : {}),
    facts,
    ...(backupPath === undefined ? {} : { backupPath }),
  }
}
