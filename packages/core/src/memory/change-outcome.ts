/** What a caller is told of a change that was written. Pure. */
import { countUsedChars, formatUsage } from './char-budget.ts'
import { describeChange } from './describe-change.ts'
import type { WrittenChange } from './memory-file.ts'
import type { MemoryOpOutcome, MemoryTarget } from './memory-op.ts'

/** `charLimit`: code points that the store may hold. */
export const toOutcome = (target: MemoryTarget, change: WrittenChange, charLimit: number): MemoryOpOutcome => {
  const usedChars = countUsedChars(change.entries)
  const { backupPath, previous, evicted, facts } = change
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
