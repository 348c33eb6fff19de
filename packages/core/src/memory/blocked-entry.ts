/** What a model may read of an entry: the text itself, or a placeholder where the threat scan found something (reference hermes-memory 7). */
import { memoryFileName } from './memory-file-name.ts'
import type { MemoryTarget } from './memory-op.ts'
import { scanMemoryEntries } from './threats/threat-scan.ts'

/** Stands for an entry with findings: names file and ids, never the text. */
const renderBlockedEntry = (target: MemoryTarget, findings: readonly string[]): string =>
  `[BLOCKED: ${memoryFileName(target)} entry: ${[...findings].sort().join(', ')}. The threat scan keeps its text out of sight; it is still on disk and can be removed.]`

/** The same entries in the same order, those with findings as placeholders; phrases spread over neighbours count. */
export const sanitiseEntries = (target: MemoryTarget, entries: readonly string[]): readonly string[] => {
  const findings = scanMemoryEntries(entries)
  return entries.map((entry, index) => {
    const ids = findings[index] ?? []
    return ids.length > 0 ? renderBlockedEntry(target, ids) : entry
  })
}
