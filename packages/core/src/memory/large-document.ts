/** Decodes a memory file that is far larger than any limit, in slices between which other work runs. Loaded for such a file only. */
import { pause } from '../shared/pause.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import { MEMORY_PATHS } from '../storage/storage-paths.ts'
import { type MemoryDocument, normaliseNewlines, notText } from './memory-document.ts'
import { ENTRY_DELIMITER } from './memory-limits.ts'
import { decodeProfile } from './profile-entry.ts'

/** Bytes between two pauses. */
export const SLICE_BYTES = 32_768

/** Collects the entries of a text that arrives in pieces, as `decodeMemoryDocument` finds them. */
const entryCollector = () => {
  const entries = new Set<string>()
  let hasCosmeticDrift = false
  let isFirst = true
  /** The beginning of the entry that is being read. */
  let begun: string[] = []
  /** The end of the text so far, which may belong to a delimiter or a line end. */
  let held = ''

  const endEntry = (end: string, isLast: boolean): void => {
    const text = [...begun, end].join('')
    const entry = stripWhiteSpace(text)
    // White space around the whole text is no drift.
    const isPadded = isFirst ? !text.endsWith(entry) : isLast ? !text.startsWith(entry) : text !== entry
    if (!(isFirst && isLast) && (entry === '' || isPadded)) hasCosmeticDrift = true
    if (entry !== '') entries.add(entry)
    begun = []
    isFirst = false
  }
  /** The last part of a text split at its delimiters; it belongs to an entry that goes on. */
  const endAllButLast = (text: string): string => {
    const parts = text.split(ENTRY_DELIMITER)
    for (const part of parts.slice(0, -1)) endEntry(part, false)
    return parts.at(-1) ?? ''
  }
  return {
    take(piece: string): void {
      const text = held + piece
      const end = text.length - (text.endsWith('\r') ? 1 : 0)
      const rest = endAllButLast(normaliseNewlines(text.slice(0, end)))
      const kept = Math.max(0, rest.length - ENTRY_DELIMITER.length + 1)
      begun.push(rest.slice(0, kept))
      held = rest.slice(kept) + text.slice(end)
    },
    finish(): MemoryDocument {
      endEntry(endAllButLast(normaliseNewlines(held)), true)
      return { entries: [...entries], hasCosmeticDrift }
    },
  }
}

/** As `decodeMemoryDocument`. */
export const decodeInSlices = async (path: string, bytes: Uint8Array): Promise<Result<MemoryDocument>> => {
  // Its size is limited.
  if (path === MEMORY_PATHS.profile) return decodeProfile(path, bytes)
  const slices = new TextDecoder('utf-8', { fatal: true })
  const { take, finish } = entryCollector()
  try {
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
      take(slices.decode(bytes.subarray(start, start + SLICE_BYTES), { stream: true }))
      await pause()
    }
    take(slices.decode())
  } catch (cause) {
    return err(notText(path, cause))
  }
  return ok(finish())
}
