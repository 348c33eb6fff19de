/** What a model may read of an entry: the text, or a placeholder if it holds a threat or a credential (reference hermes-memory 7). */
import { holdsCredential } from '../threats/credentials/find-credentials.ts'
import { createMemoryScan, type MemoryScan } from '../threats/scan.ts'
import { memoryFileName } from './memory-file-name.ts'
import type { MemoryTarget } from './memory-op.ts'

/** Listed with the ids of the threat scan for an entry that holds a credential. */
export const CREDENTIAL_FINDING = 'credential'

/** The placeholder for an entry with findings: names the file and the ids, never the text. */
const renderBlockedEntry = (target: MemoryTarget, findings: readonly string[]): string =>
  `[BLOCKED: ${memoryFileName(target)} entry: ${[...findings].sort().join(', ')}. Its text is kept out of sight; it is still on disk and can be removed.]`

/**
 * The entries in the same order, with placeholders for those with findings; phrases spread over neighbouring entries count. `scan`: the
 * scan of the store.
 */
export const sanitiseEntries = (
  target: MemoryTarget,
  entries: readonly string[],
  scan: MemoryScan = createMemoryScan(),
): readonly string[] => {
  const findings = scan.all(entries)
  return entries.map((entry, index) => {
    const found = findings[index] ?? []
    // Entries with findings are not searched again: there may be many.
    const ids = found.length === 0 && holdsCredential(entry) ? [CREDENTIAL_FINDING] : found
    return ids.length > 0 ? renderBlockedEntry(target, ids) : entry
  })
}
