/**
 * Converts a memory file between bytes and entries: strict UTF-8, an optional byte order mark, any line ends (reference hermes-memory 1).
 */
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import { MEMORY_PATHS } from '../storage/storage-paths.ts'
import { dedupeEntries, ENTRY_DELIMITER, joinEntries, normaliseNewlines, splitEntries } from './entry-list.ts'
import type { MemoryTarget } from './memory-op.ts'

const newDecoder = () => new TextDecoder('utf-8', { fatal: true })
const decoder = newDecoder()
const encoder = new TextEncoder()

const BYTE_ORDER_MARK = '\uFEFF'

export interface MemoryDocument {
  /** Without duplicates, in file order. */
  readonly entries: readonly string[]
  /** True if a rewrite would drop blank lines, padding or empty entries, which carry no meaning. */
  readonly hasCosmeticDrift: boolean
}

const notText = (target: MemoryTarget, cause: unknown): HermesError => {
  const path = MEMORY_PATHS[target]
  const message = `'${path}' is not valid UTF-8, so it was left as it is. Save it as UTF-8, or move it away, then retry.`
  return new HermesError('unreadable', message, { cause, details: { path } })
}

/** No entries if there are no bytes. `unreadable` if the bytes are not UTF-8: a rewrite would destroy text that a person may still recover. */
export const decodeMemoryDocument = (target: MemoryTarget, bytes: Uint8Array | undefined): Result<MemoryDocument> => {
  let text: string
  try {
    text = normaliseNewlines(decoder.decode(bytes))
  } catch (cause) {
    return err(notText(target, cause))
  }
  const parsed = splitEntries(text)
  const stripped = stripWhiteSpace(text)
  return ok({ entries: dedupeEntries(parsed), hasCosmeticDrift: stripped !== joinEntries(parsed) })
}

/** Bytes that are decoded without a pause: more than a store of ordinary size has. */
export const SLICE_BYTES = 131_072

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

/** As `decodeMemoryDocument`, for any number of bytes: other work runs in between. */
export const decodeInSlices = async (target: MemoryTarget, bytes: Uint8Array | undefined): Promise<Result<MemoryDocument>> => {
  if (!bytes || bytes.length <= SLICE_BYTES) return decodeMemoryDocument(target, bytes)
  const slices = newDecoder()
  const { take, finish } = entryCollector()
  try {
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
      take(slices.decode(bytes.subarray(start, start + SLICE_BYTES), { stream: true }))
      await pause()
    }
    take(slices.decode())
  } catch (cause) {
    return err(notText(target, cause))
  }
  return ok(finish())
}

/** If the first entry itself starts with a byte order mark, a second one is written, because reading drops one. */
export const encodeMemoryDocument = (entries: readonly string[]): Uint8Array => {
  const text = joinEntries(entries)
  return encoder.encode(text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + text : text)
}
