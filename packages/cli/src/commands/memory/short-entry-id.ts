/** Ids of the memory archive as lists show them. */
import type { ArchivedEntry } from '@hermes/core/memory'

const SHORT_CHARS = 6

/** `user-3fa2c1`: as much of an id as lists show; all of it where another one begins alike. */
export const shortEntryId = (id: string, among: readonly Pick<ArchivedEntry, 'id'>[]): string => {
  const short = id.slice(0, id.indexOf('-') + 1 + SHORT_CHARS)
  return among.filter((other) => other.id.startsWith(short)).length === 1 ? short : id
}
