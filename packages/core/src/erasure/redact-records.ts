/** Redacts the documents of the loop: memory files, their copies and the memory archive, journal, held proposals, session records. Pure. */

import { ENTRY_DELIMITER, normaliseNewlines } from '../memory/memory-document.ts'
import { encodeFacts, parseFacts } from '../memory/facts.ts'
import { archiveLines, parseArchived } from '../memory/memory-archive.ts'
import { MEMORY_TARGETS } from '../memory/memory-op.ts'
import { redactRecord } from '../session/record-redaction.ts'
import { sessionRecordSchema } from '../session/session-record.ts'
import { canonicalJson } from '../shared/canonical-json.ts'
import { jsonLines } from '../shared/json-lines.ts'
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
  type SteppedRedactor,
  type Steps,
} from './redaction.ts'

const split = (text: string): readonly string[] => normaliseNewlines(text).split(ENTRY_DELIMITER)

const withoutEntries = (text: string, { matches }: Erasure): { readonly kept: string; readonly gone: number } => {
  const parts = split(text)
  const kept = parts.filter((part) => !matches(part))
  return { kept: kept.join(ENTRY_DELIMITER), gone: parts.length - kept.length }
}

/** An entry that contains the text is removed entirely; the others stay unchanged. */
export const redactMemoryFile: SteppedRedactor = asText((text, erasure) => {
  const { kept, gone } = withoutEntries(text, erasure)
  return gone === 0 ? CLEAN : changed(kept, 'memoryEntries', gone)
})

/** A copy is removed if no entry is left, or if it contains the text and is not UTF-8. */
export const redactMemoryCopy: Redactor = ({ text, loose }, erasure): Redacted => {
  if (text === undefined) return erasure.matches(loose) ? changed(undefined, 'memoryCopies') : CLEAN
  const { kept, gone } = withoutEntries(text, erasure)
  if (gone === 0) return CLEAN
  return changed(stripWhiteSpace(kept) === '' ? undefined : kept, 'memoryCopies')
}

const DAMAGED_FACTS = 'It is damaged and contains the text. Repair or delete it, then forget again.'

/** Written anew without the facts about erased entries, whatever they were before. What is counted is the entries. */
export const redactFacts: Redactor = ({ loose }, erasure): Redacted => {
  const parsed = parseFacts(new TextEncoder().encode(loose))
  if (!parsed.ok) return erasure.matches(loose) ? remains(DAMAGED_FACTS) : CLEAN
  const [memory, user] = MEMORY_TARGETS.map((target) => {
    const kept = [...parsed.value.facts[target]].filter(([entry]) => !erasure.matches(entry))
    return new Map(
      kept.map(([entry, record]) => {
        const { sessionId, ...rest } = record
        return [entry, isOfSession({ sessionId }, erasure) ? rest : record] as const
      }),
    )
  })
  const next = new TextDecoder().decode(encodeFacts({ memory: memory ?? new Map(), user: user ?? new Map() }))
  if (erasure.matches(next)) return remains(NAMES_SESSION)
  return next === loose ? CLEAN : changed(next, 'memoryEntries', 0)
}

/** The copy of damaged facts that a repair kept: it is removed if it contains the text or names the session. */
export const redactFactsCopy: Redactor = ({ loose }, erasure): Redacted => {
  const isHeld =
    erasure.matches(loose) ||
    [...jsonLines(loose, 'target')].some(({ text }) => {
      const line = parseJson(text)
      return isOfSession(line, erasure) || matchesInside(line, erasure)
    })
  return isHeld ? changed(undefined, 'memoryCopies') : CLEAN
}

/** An entry that contains the text is removed. If only its reason or its replacement does, that field is removed. */
const redactArchivedLine = (line: string, erasure: Erasure): string | undefined => {
  const entry = parseArchived(line)
  if (!entry) return erasure.matches(line) || matchesInside(parseJson(line), erasure) ? undefined : line
  if (erasure.matches(entry.text)) return undefined
  const { reason, replacedBy, sessionId, ...rest } = entry
  if (matchesInside(rest, erasure)) return undefined
  const isOwn = isOfSession(entry, erasure)
  const kept = {
    ...rest,
    ...(reason === undefined || isOwn || erasure.matches(reason) ? {} : { reason }),
    ...(replacedBy === undefined || erasure.matches(replacedBy) ? {} : { replacedBy }),
    ...(sessionId === undefined || isOwn ? {} : { sessionId }),
  }
  return Object.keys(kept).length < Object.keys(entry).length ? JSON.stringify(kept) : line
}

/** Characters between two steps. */
const STEP_CHARS = 32_768

/** True once for each `STEP_CHARS` of lines. */
const stepCounter = (): ((line: string) => boolean) => {
  let sinceStep = 0
  return (line) => {
    sinceStep += line.length
    if (sinceStep < STEP_CHARS) return false
    sinceStep = 0
    return true
  }
}

export const redactArchive: SteppedRedactor = function* ({ loose }, erasure): Steps {
  const isStep = stepCounter()
  const kept: string[] = []
  let touched = 0
  let isNamed = false
  for (const { text } of archiveLines(loose)) {
    const line = redactArchivedLine(text, erasure)
    if (line !== text) touched++
    if (line !== undefined) kept.push(`${line}\n`)
    isNamed ||= touched === 0 && namesMatch(parseJson(text), erasure)
    if (isStep(text)) yield
  }
  if (touched > 0) return changed(kept.join(''), 'archivedEntries', touched)
  return isNamed ? remains(NAMES_SESSION) : CLEAN
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
export const redactJournal: SteppedRedactor = asText(function* (text, erasure): Steps {
  const isStep = stepCounter()
  const { mayHold, matches, sessionId } = erasure
  const quotedId = sessionId === undefined ? undefined : JSON.stringify(sessionId)
  const kept: string[] = []
  let count = 0
  let isNamed = false
  for (const { text: line } of jsonLines(text, 'id')) {
    if (isStep(line)) yield
    const isSuspect = mayHold(line) || (quotedId !== undefined && line.includes(quotedId))
    const record = isSuspect ? parseJson(line) : undefined
    if (isSuspect && isLineErased(line, record, erasure)) {
      count++
      continue
    }
    isNamed ||= record !== undefined && isData(record) && typeof record['sessionId'] === 'string' && matches(record['sessionId'])
    kept.push(`${line}\n`)
  }
  if (count > 0) return changed(kept.join('') || undefined, 'journalRecords', count)
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
