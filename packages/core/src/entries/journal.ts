/** The journal, what waits for a decision, undo, the stored sessions, and the ledger of what learning costs. */

export type { Undone, UndoOptions } from '../home-undo.ts'
export type { JournalFilter } from '../journal/find-records.ts'
export { checkJournal, createJournal, type Journal, type JournalCheck, type JournalRecordInput } from '../journal/journal.ts'
export {
  type JournalUpkeep,
  type LedgerGrouping,
  type LedgerRow,
  type LedgerSum,
  onlyConfirmed,
  type PythonChange,
  sumLedger,
} from '../journal/journal-record.ts'
export { createPending, type Pending } from '../journal/pending.ts'
export { type TimelineDay, type TimelineEvent, type TimelineItem, toTimeline } from '../journal/timeline.ts'
export type { UndoStep } from '../journal/undo-step.ts'
export type { PendingDecisions } from '../review/decide-pending.ts'
export type { SessionReader, SessionSummary, StoredSession } from '../session/session-reader.ts'
