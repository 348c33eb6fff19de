/** What a model may read of an entry: the text itself, or a placeholder where it holds a threat or a credential (reference hermes-memory 7). */
import { holdsCredential } from '../threats/credentials/find-credentials.ts'
import { createMemoryScan, type MemoryScan } from '../threats/scan.ts'
import { memoryFileName } from './memory-file-name.ts'
import type { MemoryTarget } from './memory-op.ts'

/** Stands beside the ids of the threat scan for an entry that holds the value of a credential. */
export const CREDENTIAL_FINDING = 'credential'

/** Stands for an entry with findings: names file and ids, never the text. */
const renderBlockedEntry = (target: MemoryTarget, findings: readonly string[]): string =>
  `[BLOCKED: ${memoryFileName(target)} entry: ${[...findings].sort().join(', ')}. Its text is kept out of sight; it is still on disk and can be removed.]`

/** The same entries in the same order, those with findings as placeholders; phrases spread over neighbours count. `scan`: of the store. */
export const sanitiseEntries = (
  target: MemoryTarget,
  entries: readonly string[],
  scan: MemoryScan = createMemoryScan(),
): readonly string[] => {
  const findings = scan.all(entries)
  return entries.map((entry, index) => {
    const found = findings[index] ?? []
    // What is kept out of sight anyway is not looked through once more: there may be any amount of it.
    const ids = found.length === 0 && holdsCredential(entry) ? [CREDENTIAL_FINDING] : found
    return ids.length > 0 ? renderBlockedEntry(target, ids) : entry
  })
}
