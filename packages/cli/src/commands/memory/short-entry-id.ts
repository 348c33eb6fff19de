/** Short ids of archived entries, for lists. */
import type { ArchivedEntry } from '@hermes/core/memory'

const SHORT_CHARS = 6

/** `user-3fa2c1`; the full id if another one has the same beginning. */
export const shortEntryId = (id: string, among: readonly Pick<ArchivedEntry, 'id'>[]): string => {
  const short = id.slice(0, id.indexOf('-') + 1 + SHORT_CHARS)
  return among.filter((other) => other.id.startsWith(short)).length === 1 ? short : id
}
