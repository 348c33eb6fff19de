/**
 * Converts a memory file between bytes and entries: strict UTF-8, an optional byte order mark, any line ends (reference hermes-memory 1).
 */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import { MEMORY_PATHS } from '../storage/storage-paths.ts'
import { dedupeEntries, joinEntries, normaliseNewlines, splitEntries } from './entry-list.ts'
import type { MemoryTarget } from './memory-op.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })
const encoder = new TextEncoder()

/** Bytes that are decoded at once: as many as a store within the highest limit may have. */
export const AT_ONCE_BYTES = 131_072

const BYTE_ORDER_MARK = '\uFEFF'

export interface MemoryDocument {
  /** Without duplicates, in file order. */
  readonly entries: readonly string[]
  /** True if a rewrite would drop blank lines, padding or empty entries, which carry no meaning. */
  readonly hasCosmeticDrift: boolean
}

/** For bytes that are not UTF-8. */
export const notText = (target: MemoryTarget, cause: unknown): HermesError => {
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

/** If the first entry itself starts with a byte order mark, a second one is written, because reading drops one. */
export const encodeMemoryDocument = (entries: readonly string[]): Uint8Array => {
  const text = joinEntries(entries)
  return encoder.encode(text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + text : text)
}
