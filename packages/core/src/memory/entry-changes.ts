/** The effect of one write on the entries of a store, by text. */
import { holdsCredential } from '../threats/credentials/find-credentials.ts'
import { REDACTED } from '../threats/credentials/redact-credentials.ts'
import type { EvictedEntry } from './entry-facts.ts'
import type { LostEntry } from './lost-entries.ts'
import { archivedEntryId } from './memory-archive.ts'
import type { MemoryTarget } from './memory-op.ts'

export interface RemovedEntry {
  /** Verbatim; `[redacted: looks like a secret]` if the entry held a secret. */
  readonly text: string
  /** For `restore`. Undefined if only white space was lost, and for a secret, which is not stored. */
  readonly archivedId?: string
}

export interface EntryChanges {
  readonly added: readonly string[]
  /** Replaced or removed. */
  readonly removed: readonly RemovedEntry[]
  /** Archived to make room. */
  readonly evicted: readonly RemovedEntry[]
}

/** A change, with the entries before it and after it. */
export interface DescribedChange {
  readonly before: readonly string[]
  readonly entries: readonly string[]
  readonly lost: readonly LostEntry[]
}

/** All three lists are empty if no entry was added or removed. */
export const describeEntryChanges = (
  target: MemoryTarget,
  { before, entries, lost: notKept }: DescribedChange,
  evicted: readonly EvictedEntry[] = [],
): EntryChanges => {
  const [had, has] = [new Set(before), new Set(entries)]
  const lost = new Set(notKept.map(({ text }) => text))
  const crowdedOut = new Set(evicted.map(({ text }) => text))
  const gone = [...had].filter((entry) => !has.has(entry))
  const describe = (text: string): RemovedEntry => {
    if (holdsCredential(text)) return { text: REDACTED }
    return lost.has(text) ? { text, archivedId: archivedEntryId(target, text) } : { text }
  }
  return {
    added: [...has].filter((entry) => !had.has(entry)),
    removed: gone.filter((text) => !crowdedOut.has(text)).map(describe),
    evicted: gone.filter((text) => crowdedOut.has(text)).map(describe),
  }
}
