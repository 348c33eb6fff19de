/** Pins of entries: marks in the provenance records, set only by a person or the host's code. */

import type { Clock } from '../shared/clock.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { sha256OfText } from '../shared/sha256.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import { UNCHANGED } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { PROVENANCE_PATH } from '../storage/storage-paths.ts'
import { locateEntry, normaliseNewlines } from './entry-list.ts'
import { readMemoryFile } from './memory-file.ts'
import type { MemoryTarget } from './memory-op.ts'
import { emptyOldText, nothingMatches, notText, severalMatch } from './memory-refusal.ts'
import { EMPTY_PROVENANCE, type ProvenanceFile, provenanceFileSchema, withPin } from './provenance.ts'

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
}

const findEntry = async (storage: StorageBackend, { target, text, charLimit }: PinRequest): Promise<Result<string>> => {
  if (typeof text !== 'string') return err(notText('text'))
  const wanted = stripWhiteSpace(normaliseNewlines(text))
  if (wanted === '') return err(emptyOldText())
  const file = await readMemoryFile(storage, target)
  if (!file.ok) return file
  const { entries } = file.value
  const location = locateEntry(entries, wanted)
  if (location.kind === 'ambiguous') return err(severalMatch(target, wanted, location.matches))
  const entry = location.kind === 'found' ? entries[location.index] : undefined
  return entry === undefined ? err(nothingMatches(wanted, entries, charLimit)) : ok(entry)
}

const withRecord = (file: ProvenanceFile, target: MemoryTarget, fingerprint: string, pinned: boolean, at: number): ProvenanceFile => {
  const { [fingerprint]: record, ...others } = file[target]
  const next = withPin(record, pinned, at)
  return { ...file, [target]: next ? { ...others, [fingerprint]: next } : others }
}

/** `not_found` also if the entry was removed while it was being pinned; then nothing is pinned. */
export const setPin = async (storage: StorageBackend, clock: Clock, request: PinRequest): Promise<Result<PinnedEntry>> => {
  const { target, pinned } = request
  const entry = await findEntry(storage, request)
  if (!entry.ok) return entry
  const fingerprint = await sha256OfText(entry.value)
  const at = clock()
  let changed = false
  const written = await updateJsonDocument<ProvenanceFile>(storage, PROVENANCE_PATH, provenanceFileSchema, (current) => {
    changed = (current?.[target][fingerprint]?.pinned === true) !== pinned
    return changed ? withRecord(current ?? EMPTY_PROVENANCE, target, fingerprint, pinned, at) : UNCHANGED
  })
  if (!written.ok) return written
  const file = await readMemoryFile(storage, target)
  if (!file.ok) return file
  const isGone = !file.value.entries.includes(entry.value)
  return isGone
    ? err(nothingMatches(entry.value, file.value.entries, request.charLimit))
    : ok({ target, entry: entry.value, pinned, changed })
}
