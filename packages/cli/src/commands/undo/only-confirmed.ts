/** Whether an `add` wrote nothing new: the entry was there, and only its date changed. Pure. */
import type { JournalRecord } from '@hermes/core'

/** A new entry was first seen when it was last confirmed. One that came back from the archive keeps its first date, but is new in the store. */
export const onlyConfirmed = ({ op, facts, reason }: JournalRecord): boolean => {
  const { firstSeenAt = 0, lastConfirmedAt = 0 } = facts?.content ?? {}
  return op?.action === 'add' && firstSeenAt > 0 && lastConfirmedAt > firstSeenAt && !/restored it from the archive/.test(reason)
}
