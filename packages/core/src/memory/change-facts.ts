/** What is known of the entries of a store after a write: whose words they are, their dates, their pins (DESIGN 5). Pure. */

import { HermesError } from '../shared/hermes-error.ts'
import { leastTrusted, ORIGINS, type Origin } from '../shared/origin.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import { isSameTime, timeOf } from './entry-time.ts'
import type { FactRecord, FactRecords, RecordedSource, WriteMode } from './facts.ts'
import { locateEntry, normaliseNewlines } from './memory-document.ts'
import type { EntryTime, MemoryTarget } from './memory-op.ts'
import { emptyOldText, nothingMatches, notText, severalMatch } from './memory-refusal.ts'

/** One write. */
export interface FactsChange {
  readonly source?: RecordedSource | undefined
  readonly mode?: WriteMode | undefined
  /** Epoch milliseconds. */
  readonly at: number
  /** What the store holds before the write, and after it. */
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** Texts that the operations add or confirm. */
  readonly confirmed: readonly string[]
  /** Texts that the operations replace or remove. */
  readonly previous: readonly string[]
  /** Whether a text has last left a store as one from outside. */
  readonly wasOutside: (entry: string) => boolean
  /** Replaced texts and their replacements, in the order of the operations. */
  readonly replacements: ReadonlyMap<string, string>
  /** What the operations say of the days of these texts. */
  readonly times: ReadonlyMap<string, EntryTime>
}

const originOf = (record: FactRecord | undefined): Origin | undefined =>
  record === undefined || record.origin === 'external' ? undefined : record.origin

/** What the user or the host's code says has their authority, whatever it replaces; a text that only comes back has its former one at most. */
const isStated = (source: RecordedSource | undefined): boolean =>
  (source?.origin === 'user' || source?.origin === 'host') && source.firstSeenAt === undefined

/** An outside text stays one when it has left and comes back, unless the user or the host's code states it. */
const formerOrigin = (entry: string, { source, wasOutside }: FactsChange): Origin | undefined =>
  source?.raises || source?.origin === 'user' || isStated(source) || !wasOutside(entry) ? undefined : 'tool'

const mostTrusted = (origins: readonly Origin[]): Origin | undefined => ORIGINS.find((origin) => origins.includes(origin))

/**
 * Only the user's words, the host's code and the review of own words raise an entry's origin, and nothing lowers that of an existing entry. Any other new text
 * is trusted at most as much as its source, the entries that the same write removes, and an earlier record of the same text. `undefined`: no record.
 */
const decideOrigin = (known: Origin | undefined, stands: boolean, { source, mode }: FactsChange, inherited: Origin | undefined) => {
  if (source?.raises) return mostTrusted([source.origin, ...(stands && known ? [known] : [])])
  if (stands && mode === 'unnamed') return known
  if (isStated(source) && (source?.origin === 'user' || !stands)) return source?.origin
  if (stands) return known && isStated(source) ? mostTrusted(['host', known]) : known
  if (source) return leastTrusted([source.origin, inherited, known].filter((origin) => origin !== undefined))
  return [inherited, known].find((origin) => origin === 'tool')
}

/** Pinned entries; an entry that replaces a pinned one is pinned too. */
const pinnedAfter = (records: FactRecords, { before, replacements }: FactsChange): ReadonlySet<string> => {
  const pinned = new Set(before.filter((entry) => records.get(entry)?.pinned))
  for (const [old, next] of replacements) if (pinned.has(old)) pinned.add(next)
  return pinned
}

/** Days decide whether an entry is shown, so text from outside sets none of what the user said: the source has to be trusted as much as the entry. */
const maySetTime = (record: FactRecord | undefined, { source }: FactsChange): boolean => {
  const known = originOf(record)
  return isStated(source) || (source !== undefined && known !== undefined && leastTrusted([source.origin, known]) === known)
}

/** Of an entry that now counts as somebody else's words, only what these words say of its days counts. */
const timeAfter = (entry: string, known: FactRecord | undefined, change: FactsChange, isNew: boolean): EntryTime => {
  const said = change.times.get(entry)
  if (isNew) return said ?? {}
  return said && maySetTime(known, change) ? said : timeOf(known)
}

/** Sets or removes the pin and the days. A record that holds nothing else is removed with them. */
const withMarks = (record: FactRecord | undefined, isPinned: boolean, time: EntryTime): FactRecord | undefined => {
  const { pinned: _, from: _from, until: _until, ...rest } = record ?? { origin: 'external', firstSeenAt: 0, lastConfirmedAt: 0 }
  const marks = { ...(isPinned ? { pinned: true as const } : {}), ...timeOf(time) }
  return rest.origin === 'external' && Object.keys(marks).length === 0 ? undefined : { ...rest, ...marks }
}

const nextRecord = (known: FactRecord | undefined, origin: Origin, { source, mode, at }: FactsChange, stands: boolean): FactRecord => {
  const session = source?.sessionId === undefined ? {} : { sessionId: source.sessionId }
  // If own words raise an entry's origin, its age starts with them.
  const isRaised = known?.origin === 'external' || (source?.raises === true && known?.origin === 'tool')
  if (stands && known && !isRaised) {
    const { sessionId, ...kept } = known
    // What is stated outside of any session does not go with the session that said it before.
    const isSessions = origin === known.origin && (!isStated(source) || mode === 'unnamed' || source?.sessionId !== undefined)
    const from = !isSessions ? session : sessionId === undefined ? {} : { sessionId }
    return { ...kept, ...from, origin, lastConfirmedAt: Math.max(at, known.lastConfirmedAt) }
  }
  return {
    origin,
    ...session,
    firstSeenAt: Math.min(at, source?.firstSeenAt ?? at),
    lastConfirmedAt: Math.min(at, source?.lastConfirmedAt ?? at),
  }
}

/** The records of a store after a write: only of entries that are in it. */
export const nextFacts = (records: FactRecords, change: FactsChange): FactRecords => {
  const { source, mode, before, after, confirmed, previous, replacements } = change
  const standing = new Set(after)
  const present = new Set(before)
  const next = new Map(records)
  for (const entry of records.keys()) if (!standing.has(entry)) next.delete(entry)
  // Only low trust is inherited: a rewritten entry of the user is not the user's own words.
  const inherited = previous.map((entry) => originOf(records.get(entry))).find((origin) => origin === 'tool')
  const pinned = pinnedAfter(records, change)
  for (const entry of confirmed) {
    const known = records.get(entry)
    // An undo that gives an entry its former origin replaces it by itself.
    const stands = present.has(entry) && (mode !== 'takes-back' || replacements.get(entry) !== entry)
    const isPinned = pinned.has(entry)
    const isForgotten = mode === 'takes-back' && !stands && source === undefined
    const earlier = known || stands ? originOf(known) : formerOrigin(entry, change)
    const origin = isForgotten ? undefined : decideOrigin(earlier, stands, change, inherited)
    const time = timeAfter(entry, known, change, !stands || origin !== originOf(known))
    if (!isForgotten && origin === undefined && isPinned === (known?.pinned === true) && isSameTime(time, known)) continue
    const record = origin === undefined ? (isForgotten ? undefined : known) : nextRecord(known, origin, change, stands)
    const marked = withMarks(record, isPinned, time)
    if (marked) next.set(entry, marked)
    else next.delete(entry)
  }
  return next
}

// Pins: marks in what is known of an entry, set only by a person or the host's code.

export interface PinnedEntry {
  readonly target: MemoryTarget
  /** Whose store it is, for the target `project`. */
  readonly project?: string
  /** Full text. */
  readonly entry: string
  /** The present state. */
  readonly pinned: boolean
  /** False if it was already in that state. */
  readonly changed: boolean
}

export interface PinRequest {
  readonly target: MemoryTarget
  readonly project?: string
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
  const { target, project, pinned, isSecret } = request
  const entry = findEntry(entries, request)
  if (!entry.ok) return entry
  const known = records.get(entry.value)
  const changed = (known?.pinned === true) !== pinned
  // What is known of an entry has its text.
  if (changed && pinned && isSecret(entry.value)) return err(secretEntry())
  const next = new Map(records)
  const record = withMarks(known, pinned, timeOf(known))
  if (record) next.set(entry.value, record)
  else next.delete(entry.value)
  return ok({
    pinned: { target, ...(project === undefined ? {} : { project }), entry: entry.value, pinned, changed },
    records: changed ? next : records,
  })
}
