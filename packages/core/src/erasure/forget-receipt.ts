/** The result of an erasure, without any of the erased text. */

/** Number of erased things, by kind. */
export interface ErasedCounts {
  /** Entries of MEMORY.md and USER.md, and of the notes on projects. */
  readonly memoryEntries: number
  /** Entries of the memory archive. */
  readonly archivedEntries: number
  /** Copies of memory files that were changed or removed. */
  readonly memoryCopies: number
  readonly journalRecords: number
  /** Held proposals and held merges of skills. */
  readonly heldProposals: number
  /** Session records, and unreadable copies of them, that were changed or removed. */
  readonly sessions: number
  /** Files of archived skills that were changed or removed. */
  readonly archivedSkillFiles: number
  /** Backups of skills that were rewritten, or removed because they could not be used. */
  readonly backups: number
  /** Reports of the curator and other documents that were changed. */
  readonly otherDocuments: number
  /** Things that the external memory provider had stored, and what waited for delivery to it. */
  readonly providerItems: number
}

export type ErasedKind = keyof ErasedCounts

export const NOTHING_ERASED: ErasedCounts = {
  memoryEntries: 0,
  archivedEntries: 0,
  memoryCopies: 0,
  journalRecords: 0,
  heldProposals: 0,
  sessions: 0,
  archivedSkillFiles: 0,
  backups: 0,
  otherDocuments: 0,
  providerItems: 0,
}

/** A document, the temporary files of killed programs (`temporary-files`), or the external memory provider (`provider:<name>`), that still contains the text, or may contain it. */
export interface RemainingText {
  readonly path: string
  /** Why it was not erased, and what to do about it. */
  readonly reason: string
}

export interface ForgetReceipt {
  /** Epoch milliseconds. */
  readonly at: number
  /** True: nothing was written; the counts are of what would be erased. */
  readonly dryRun: boolean
  readonly erased: ErasedCounts
  /** The projects whose documents are among these, by name. */
  readonly projects: readonly string[]
  /** Ids of the rewritten skill backups, which remain valid. */
  readonly rewrittenBackups: readonly string[]
  /** Sorted by path. */
  readonly remaining: readonly RemainingText[]
}

export const totalErased = (erased: ErasedCounts): number => Object.values(erased).reduce((sum: number, count: number) => sum + count, 0)
