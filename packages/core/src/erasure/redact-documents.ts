/** Redacts the documents of a home, each kind in its own way. Pure. */

import { encodeFacts, parseFacts } from '../memory/facts.ts'
import { archiveLines, parseArchived } from '../memory/memory-archive.ts'
import { decodeMemoryDocument, normaliseNewlines } from '../memory/memory-document.ts'
import { ENTRY_DELIMITER } from '../memory/memory-limits.ts'
import { byTarget } from '../memory/memory-op.ts'
import { encodeProfile, parseProfileEntry } from '../memory/profile-entry.ts'
import { redactRecord } from '../session/record-redaction.ts'
import { sessionRecordSchema } from '../session/session-record-schema.ts'
import { canonicalJson } from '../shared/canonical-json.ts'
import { jsonLines } from '../shared/json-lines.ts'
import { isData, parseJson } from '../shared/json-texts.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import { MEMORY_PATHS } from '../storage/storage-paths.ts'
import type { ErasedKind } from './forget-receipt.ts'
import {
  CLEAN,
  changed,
  cutInside,
  type Erasure,
  holds,
  isOfSession,
  matchesInside,
  NAMES_SESSION,
  namesMatch,
  type Redacted,
  type Redactor,
  redactLines,
  remains,
  removedIf,
  type Steps,
} from './redaction.ts'

// Memory.

const NOT_TEXT = 'It is not valid UTF-8, so it is not rewritten. Repair it or delete it, then forget again.'

const NOT_A_PROFILE = 'It is no JSON object of fields, so it is not rewritten. Repair it or delete it, then forget again.'

const withoutEntries = (text: string, { matches }: Erasure): { readonly kept: string; readonly gone: number } => {
  const parts = normaliseNewlines(text).split(ENTRY_DELIMITER)
  const kept = parts.filter((part) => !matches(part))
  return { kept: kept.join(ENTRY_DELIMITER), gone: parts.length - kept.length }
}

/** An entry that contains the text is removed entirely; the others stay unchanged. */
export const redactMemoryFile: Redactor = ({ text, loose }, erasure) => {
  if (text === undefined) return erasure.matches(loose) ? remains(NOT_TEXT) : CLEAN
  const { kept, gone } = withoutEntries(text, erasure)
  return gone === 0 ? CLEAN : changed(kept, 'memoryEntries', gone)
}

/** A field that contains the text is removed entirely. */
export const redactProfile: Redactor = ({ bytes, loose }, erasure) => {
  const decoded = decodeMemoryDocument(MEMORY_PATHS.profile, bytes)
  if (!decoded.ok) return erasure.matches(loose) ? remains(NOT_A_PROFILE) : CLEAN
  const { entries } = decoded.value
  const kept = entries.filter((entry) => !erasure.matches(entry) && !matchesInside(parseProfileEntry(entry)?.value, erasure))
  return kept.length === entries.length ? CLEAN : changed(encodeProfile(kept), 'memoryEntries', entries.length - kept.length)
}

/** A copy is removed if no entry is left, or if it contains the text and is not UTF-8. */
export const redactMemoryCopy: Redactor = ({ text, loose }, erasure) => {
  if (text === undefined) return removedIf(erasure.matches(loose), 'memoryCopies')
  const { kept, gone } = withoutEntries(text, erasure)
  if (gone === 0) return CLEAN
  return changed(stripWhiteSpace(kept) === '' ? undefined : kept, 'memoryCopies')
}

const DAMAGED_FACTS = 'It is damaged and contains the text. Repair or delete it, then forget again.'

/** Written anew without the facts about erased entries, whatever they were before. What is counted is the entries. */
export const redactFacts: Redactor = ({ bytes, loose }, erasure) => {
  const parsed = parseFacts(bytes)
  if (!parsed.ok) return erasure.matches(loose) ? remains(DAMAGED_FACTS) : CLEAN
  const redacted = byTarget(parsed.value.facts, (target) => {
    const kept = [...(parsed.value.facts[target] ?? [])].filter(([entry]) => !erasure.matches(entry))
    return new Map(
      kept.map(([entry, record]) => {
        const { sessionId: _, ...rest } = record
        return [entry, isOfSession(record, erasure) ? rest : record] as const
      }),
    )
  })
  const next = new TextDecoder().decode(encodeFacts(redacted))
  if (erasure.matches(next)) return remains(NAMES_SESSION)
  return next === loose ? CLEAN : changed(next, 'memoryEntries', 0)
}

/** The copy of damaged facts that a repair kept: it is removed if it contains the text or names the session. */
export const redactFactsCopy: Redactor = ({ loose }, erasure) =>
  removedIf(
    erasure.matches(loose) ||
      [...jsonLines(loose, 'target')].some(({ text }) => {
        const line = parseJson(text)
        return isOfSession(line, erasure) || matchesInside(line, erasure)
      }),
    'memoryCopies',
  )

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

/** The lines of the document redacted; a document in which only the id of a session contains the text remains. */
function* unlessNamed(redacted: Steps, isNamed: () => boolean): Steps {
  const done = yield* redacted
  if (done.kind === 'changed') return { ...done, isFinal: !isNamed() }
  return done.kind === 'clean' && isNamed() ? remains(NAMES_SESSION) : done
}

export const redactArchive: Redactor = (document, erasure) => {
  let isNamed = false
  const piecesOf = (line: string) => [...archiveLines(line)].map(({ text }) => text)
  const redacted = redactLines(document, erasure, 'archivedEntries', piecesOf, (line) => {
    isNamed ||= namesMatch(parseJson(line), erasure)
    return redactArchivedLine(line, erasure)
  })
  return unlessNamed(redacted, () => isNamed)
}

/** Of a list of lines that Python Hermes keeps, those that contain the text anywhere are removed. */
export const dropLines =
  (counted: ErasedKind): Redactor =>
  (document, erasure) =>
    redactLines(
      document,
      erasure,
      counted,
      (line) => (line.trim() === '' ? [] : [line.replace(/\r?\n$/, '')]),
      (line) => (erasure.matches(line) ? undefined : line),
    )

// The journal and sessions.

/** The record of an erasure holds only counts, in words of the library. */
const isErasureRecord = (record: unknown): boolean => isData(record) && isData(record['upkeep']) && record['upkeep']['action'] === 'erase'

/** A line that is not a record is erased if it contains the text anywhere. */
const isLineErased = (line: string, record: unknown, erasure: Erasure): boolean => {
  if (!isData(record)) return erasure.matches(line)
  const isOwn = isOfSession(record, erasure) || isOfSession(record['repairs'], erasure)
  return isOwn || (!isErasureRecord(record) && matchesInside(record, erasure))
}

/** A record that contains the text is removed entirely, since its other fields describe that text. */
export const redactJournal: Redactor = (document, erasure) => {
  let isNamed = false
  const piecesOf = (line: string) => [...jsonLines(line, 'id')].map(({ text }) => text)
  const redacted = redactLines(document, erasure, 'journalRecords', piecesOf, (line) => {
    const record = parseJson(line)
    if (isLineErased(line, record, erasure)) return undefined
    isNamed ||= isData(record) && namesMatch({ sessionId: record['sessionId'], project: record['project'] }, erasure)
    return line
  })
  return unlessNamed(redacted, () => isNamed)
}

const NO_RECORD = 'It is not a session record of this library, so it is not rewritten. Delete it if nobody needs it.'

export const redactSession: Redactor = ({ loose }, erasure) => {
  const record = sessionRecordSchema.safeParse(parseJson(loose))
  if (!record.success) return holds(loose, erasure) ? remains(NO_RECORD) : CLEAN
  const next = canonicalJson(redactRecord(record.data, erasure))
  if (next !== canonicalJson(record.data)) return changed(next, 'sessions')
  return namesMatch(record.data, erasure) ? remains(NAMES_SESSION) : CLEAN
}

/** The review state holds only numbers and session ids. */
export const redactReviewState: Redactor = ({ loose }, erasure) => (holds(loose, erasure) ? remains(NAMES_SESSION) : CLEAN)

/** A document that is removed entirely if it contains the text, such as an unreadable copy. */
export const dropDocument =
  (counted: ErasedKind): Redactor =>
  ({ loose }, erasure) =>
    removedIf(holds(loose, erasure), counted)

// Skills: archived ones, files that a rollback replaced, reports, held merges.

/** Keys whose texts identify a skill. */
const NAMES: ReadonlySet<string> = new Set(['name', 'from', 'category', 'absorbedInto', 'path'])

const NAMED = 'The name of a skill in it contains the text. Delete or rename that skill, then forget again.'

/** Cuts only the matching text, so that the rest stays usable. A matching document that is not UTF-8 is removed. */
export const cutText =
  (counted: ErasedKind) =>
  ({ text, loose }: { readonly text: string | undefined; readonly loose: string }, { matches, cut }: Erasure): Redacted => {
    if (!matches(loose)) return CLEAN
    if (text === undefined) return changed(undefined, counted)
    const next = cut(text)
    return changed(matches(next) ? undefined : next, counted)
  }

const NAME_LINE = /^name:.*$/m

/** Redacts a SKILL.md. Its name line stays: a skill without a name cannot be restored. */
export const cutSkill =
  (counted: ErasedKind): Redactor =>
  (document, erasure) => {
    const { text } = document
    const line = text === undefined ? null : NAME_LINE.exec(text)
    if (text === undefined || !line || !erasure.matches(line[0])) return cutText(counted)(document, erasure)
    const behind = line.index + line[0].length
    const next = erasure.cut(text.slice(0, line.index)) + line[0] + erasure.cut(text.slice(behind))
    return next === text ? remains(NAMED) : changed(next, counted)
  }

/** Cuts texts, but not names. `hasNamesAsKeys`: the top-level keys are names too. */
export const cutJson =
  (counted: ErasedKind, hasNamesAsKeys = false): Redactor =>
  (document, erasure) => {
    const data = parseJson(document.loose)
    if (!isData(data)) return cutText(counted)(document, erasure)
    if (!matchesInside(data, erasure)) return hasNamesAsKeys && Object.keys(data).some(erasure.matches) ? remains(NAMED) : CLEAN
    const next = JSON.stringify(cutInside(data, erasure, NAMES), null, 2)
    return next === JSON.stringify(data, null, 2) ? remains(NAMED) : changed(`${next}\n`, counted)
  }

/** Drops each item of a list that contains the text, such as a held merge: with the text cut, it would no longer be what was proposed. */
export const dropItems =
  (key: string, counted: ErasedKind): Redactor =>
  ({ loose }, erasure) => {
    const data = parseJson(loose)
    const items = isData(data) ? data[key] : undefined
    if (!isData(data) || !Array.isArray(items)) return removedIf(erasure.matches(loose), counted)
    const kept = items.filter((item) => !isOfSession(item, erasure) && !matchesInside(item, erasure))
    if (kept.length === items.length) return CLEAN
    const next = kept.length === 0 ? undefined : `${JSON.stringify({ ...data, [key]: kept }, null, 2)}\n`
    return changed(next, counted, items.length - kept.length)
  }
