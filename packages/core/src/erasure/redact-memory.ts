/** Redacts the two memory files, their copies and the memory archive. Pure. */

import { archivedEntrySchema } from '../memory/archive/archived-entry.ts'
import { ENTRY_DELIMITER, normaliseNewlines } from '../memory/entry-list.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import { parseJson, someText } from './json-texts.ts'
import {
  asText,
  CLEAN,
  changed,
  type Erasure,
  isOfSession,
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
  if (!entry.success) return erasure.matches(loose) || someText(data, erasure.matches) ? changed(undefined, 'archivedEntries') : CLEAN
  if (erasure.matches(entry.data.text)) return changed(undefined, 'archivedEntries', 1, [entry.data.text])
  const { reason, replacedBy, sessionId, ...rest } = entry.data
  if (someText(rest, erasure.matches)) return changed(undefined, 'archivedEntries')
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
