/** Pins of entries: marks in their facts, set only by a person or the host's code. Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import { locateEntry, normaliseNewlines } from './entry-list.ts'
import { withPin } from './change-facts.ts'
import type { FactRecords } from './facts.ts'
import type { MemoryTarget } from './memory-op.ts'
import { emptyOldText, nothingMatches, notText, severalMatch } from './memory-refusal.ts'

export interface PinnedEntry {
  readonly target: MemoryTarget
  /** Full text. */
  readonly entry: string
  /** The present state. */
  readonly pinned: boolean
  /** False if it was already in that state. */
  readonly changed: boolean
}

export interface PinRequest {
  readonly target: MemoryTarget
  /** The entry's text, or a part that no other entry contains. */
  readonly text: string
  readonly pinned: boolean
  /** Code points, for the message of an error. */
  readonly charLimit: number
  /** As `holdsCredential`. */
  readonly isSecret: (text: string) => boolean
}

const secretEntry = (): HermesError =>
  new HermesError(
    'blocked',
    'This entry looks like a secret, of which no copy is made, so it cannot be pinned. Keep it in a password manager instead.',
  )

const findEntry = (entries: readonly string[], { target, text, charLimit }: PinRequest): Result<string> => {
  if (typeof text !== 'string') return err(notText('text'))
  const wanted = stripWhiteSpace(normaliseNewlines(text))
  if (wanted === '') return err(emptyOldText())
  const location = locateEntry(entries, wanted)
  if (location.kind === 'ambiguous') return err(severalMatch(target, wanted, location.matches))
  const entry = location.kind === 'found' ? entries[location.index] : undefined
  return entry === undefined ? err(nothingMatches(wanted, entries, charLimit)) : ok(entry)
}

/** The records after it. `not_found` and `ambiguous` as for a replace. */
export const planPin = (
  entries: readonly string[],
  records: FactRecords,
  request: PinRequest,
): Result<{ readonly pinned: PinnedEntry; readonly records: FactRecords }> => {
  const { target, pinned, isSecret } = request
  const entry = findEntry(entries, request)
  if (!entry.ok) return entry
  const known = records.get(entry.value)
  const changed = (known?.pinned === true) !== pinned
  // What is known of an entry has its text.
  if (changed && pinned && isSecret(entry.value)) return err(secretEntry())
  const next = new Map(records)
  const record = withPin(known, pinned)
  if (record) next.set(entry.value, record)
  else next.delete(entry.value)
  return ok({ pinned: { target, entry: entry.value, pinned, changed }, records: changed ? next : records })
}
