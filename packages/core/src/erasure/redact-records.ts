/** Redacts the documents of the loop: memory files, their copies and the memory archive, journal, held proposals, session records. Pure. */

import { splitLines } from '../journal/find-records.ts'
import { archivedEntrySchema } from '../memory/archive/archived-entry.ts'
import { ENTRY_DELIMITER, normaliseNewlines } from '../memory/entry-list.ts'
import { redactRecord } from '../session/record-redaction.ts'
import { sessionRecordSchema } from '../session/session-record.ts'
import { canonicalJson } from '../shared/canonical-json.ts'
import { isData, parseJson } from '../shared/json-texts.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import {
  asText,
  CLEAN,
  changed,
  type Erasure,
  isOfSession,
  matchesInside,
  NAMES_SESSION,
  namesMatch,
  type Redacted,
  type Redactor,
  remains,
} from './redaction.ts'

const split = (text: string): readonly string[] => normaliseNewlines(text).split(ENTRY_DELIMITER)

const withoutEntries = (text: string, { matches }: Erasure): { readonly kept: string; readonly gone: readonly string[] } => {
  const parts = split(text)
  return {
    kept: parts.filter((part) => !matches(part)).join(ENTRY_DELIMITER),
    gone: parts.filter(matches).map(stripWhiteSpace),
  }
}

/** An entry that contains the text is removed entirely; the others stay unchanged. */
export const redactMemoryFile: Redactor = asText((text, erasure) => {
  const { kept, gone } = withoutEntries(text, erasure)
  return gone.length === 0 ? CLEAN : changed(kept, 'memoryEntries', gone.length, gone)
})

/** A copy is removed if no entry is left, or if it contains the text and is not UTF-8. */
export const redactMemoryCopy: Redactor = ({ text, loose }, erasure): Redacted => {
  if (text === undefined) return erasure.matches(loose) ? changed(undefined, 'memoryCopies') : CLEAN
  const { kept, gone } = withoutEntries(text, erasure)
  if (gone.length === 0) return CLEAN
  return changed(stripWhiteSpace(kept) === '' ? undefined : kept, 'memoryCopies', 1, gone)
}

/** An archived entry that contains the text is removed. If only its reason or its replacement does, that field is removed. */
export const redactArchivedEntry: Redactor = ({ loose }, erasure): Redacted => {
  const data = parseJson(loose)
  const entry = archivedEntrySchema.safeParse(data)
  if (!entry.success) return erasure.matches(loose) || matchesInside(data, erasure) ? changed(undefined, 'archivedEntries') : CLEAN
  if (erasure.matches(entry.data.text)) return changed(undefined, 'archivedEntries', 1, [entry.data.text])
  const { reason, replacedBy, sessionId, ...rest } = entry.data
  if (matchesInside(rest, erasure)) return changed(undefined, 'archivedEntries')
  const isOwn = isOfSession(entry.data, erasure)
  const kept = {
    ...rest,
    ...(reason === undefined || isOwn || erasure.matches(reason) ? {} : { reason }),
    ...(replacedBy === undefined || erasure.matches(replacedBy) ? {} : { replacedBy }),
    ...(sessionId === undefined || isOwn ? {} : { sessionId }),
  }
  if (Object.keys(kept).length < Object.keys(entry.data).length) return changed(`${JSON.stringify(kept, null, 2)}\n`, 'archivedEntries')
  return namesMatch(entry.data, erasure) ? remains(NAMES_SESSION) : CLEAN
}

const ENTRY_KEYS = ['content', 'oldText'] as const

/** The memory entries that a record of a memory operation quotes. */
const entriesOf = (record: unknown): readonly string[] => {
  if (!isData(record)) return []
  const { op, previous, evicted } = record
  const own = isData(op) ? ENTRY_KEYS.map((key) => op[key]) : []
  const gone = Array.isArray(evicted) ? evicted.map((each) => (isData(each) ? each['text'] : undefined)) : []
  return [...own, ...(Array.isArray(previous) ? previous : []), ...gone].filter((text) => typeof text === 'string')
}

const isErasureRecord = (record: unknown): boolean => isData(record) && isData(record['upkeep']) && record['upkeep']['action'] === 'erase'

/** A line that is not a record is erased if it contains the text anywhere. */
const isLineErased = (line: string, record: unknown, erasure: Erasure): boolean => {
  if (!isData(record)) return erasure.matches(line)
  if (isOfSession(record, erasure)) return true
  // The record of an erasure holds only counts, in words of the library.
  return !isErasureRecord(record) && matchesInside(record, erasure)
}

/** A record that contains the text is removed entirely, since its other fields describe that text. */
export const redactJournal: Redactor = asText((text, erasure) => {
  const { mayHold, matches, sessionId } = erasure
  const quotedId = sessionId === undefined ? undefined : JSON.stringify(sessionId)
  const kept: string[] = []
  const entries: string[] = []
  let count = 0
  let isNamed = false
  for (const line of splitLines(text)) {
    if (line.trim() === '') continue
    const isSuspect = mayHold(line) || (quotedId !== undefined && line.includes(quotedId))
    const record = isSuspect ? parseJson(line) : undefined
    if (isSuspect && isLineErased(line, record, erasure)) {
      count++
      entries.push(...entriesOf(record).filter(matches))
      continue
    }
    isNamed ||= record !== undefined && isData(record) && typeof record['sessionId'] === 'string' && matches(record['sessionId'])
    kept.push(`${line}\n`)
  }
  if (count > 0) return changed(kept.join('') || undefined, 'journalRecords', count, entries)
  return isNamed ? remains(NAMES_SESSION) : CLEAN
})

export const redactPending: Redactor = ({ loose }, erasure): Redacted => {
  const data = parseJson(loose)
  if (!isData(data)) return erasure.matches(loose) ? changed(undefined, 'heldProposals') : CLEAN
  if (isOfSession(data, erasure) || matchesInside(data, erasure)) return changed(undefined, 'heldProposals')
  return namesMatch({ sessionId: data['sessionId'] }, erasure) ? remains(NAMES_SESSION) : CLEAN
}

const NO_RECORD = 'It is not a session record of this library, so it is not rewritten. Delete it if nobody needs it.'

const holds = (loose: string, data: unknown, { matches }: Erasure): boolean =>
  data === undefined ? matches(loose) : matchesInside(data, { matches })

export const redactSession: Redactor = ({ loose }, erasure): Redacted => {
  const data = parseJson(loose)
  const record = sessionRecordSchema.safeParse(data)
  if (!record.success) return holds(loose, data, erasure) ? remains(NO_RECORD) : CLEAN
  const next = canonicalJson(redactRecord(record.data, erasure))
  if (next !== canonicalJson(record.data)) return changed(next, 'sessions')
  return namesMatch(record.data, erasure) ? remains(NAMES_SESSION) : CLEAN
}

/** The review state holds only numbers and session ids. */
export const redactReviewState: Redactor = ({ loose }, erasure): Redacted =>
  holds(loose, parseJson(loose), erasure) ? remains(NAMES_SESSION) : CLEAN

/** An unreadable copy that contains the text is removed entirely. */
export const redactUnreadableSession: Redactor = ({ loose }, erasure): Redacted =>
  holds(loose, parseJson(loose), erasure) ? changed(undefined, 'sessions') : CLEAN
