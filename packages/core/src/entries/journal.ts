/** The journal, what waits for a decision, the stored sessions, and the ledger of what learning costs. */

export { createJournal, type Journal, type JournalRecordInput } from '../journal/journal.ts'
export type { JournalFilter } from '../journal/journal-filter.ts'
export type { JournalUpkeep } from '../journal/journal-record.ts'
export { onlyConfirmed } from '../journal/only-confirmed.ts'
export { createPending, type Pending } from '../journal/pending.ts'
export { type LedgerGrouping, type LedgerRow, type LedgerSum, sumLedger } from '../journal/sum-ledger.ts'
export { type TidiedJournal, tidyJournal } from '../journal/tidy-journal.ts'
export type { PendingDecisions } from '../review/decide-pending.ts'
export type { SessionReader, SessionSummary, StoredSession } from '../session/session-reader.ts'
