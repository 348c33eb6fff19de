/** Whether an `add` wrote nothing new: the entry was there, and only its date changed. Pure. */
import type { JournalRecord } from './journal-record.ts'

/** Records of earlier versions say only in words that an entry came back from the archive. */
const RESTORED = /restored it from the archive/

/** A new entry was first seen when it was last confirmed; a restored one keeps its first date, but is new in the store. */
export const onlyConfirmed = ({ op, facts, restoredFrom, reason }: JournalRecord): boolean => {
  const { firstSeenAt = 0, lastConfirmedAt = 0 } = facts?.content ?? {}
  const isRestored = restoredFrom !== undefined || RESTORED.test(reason)
  return op?.action === 'add' && firstSeenAt > 0 && lastConfirmedAt > firstSeenAt && !isRestored
}
