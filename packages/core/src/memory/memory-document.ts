/** A memory file between bytes and entries: strict UTF-8, an optional byte order mark, any newline (reference hermes-memory 1). */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { stripWhiteSpace } from '../shared/white-space.ts'
import { MEMORY_PATHS } from '../storage/storage-paths.ts'
import { dedupeEntries, joinEntries, normaliseNewlines, splitEntries } from './entry-list.ts'
import type { MemoryTarget } from './memory-op.ts'

const BYTE_ORDER_MARK = '\uFEFF'

export interface MemoryDocument {
  /** Without duplicates, in file order. */
  readonly entries: readonly string[]
  /** Blank lines, padding or empty entries that a rewrite would drop; nothing that carries meaning. */
  readonly hasCosmeticDrift: boolean
}

const EMPTY_DOCUMENT: MemoryDocument = { entries: [], hasCosmeticDrift: false }

/** `unreadable` where the bytes are not UTF-8: a rewrite would destroy what a person may still rescue. */
export const decodeMemoryDocument = (target: MemoryTarget, bytes: Uint8Array | undefined): Result<MemoryDocument> => {
  if (!bytes) return ok(EMPTY_DOCUMENT)
  let text: string
  try {
    text = normaliseNewlines(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    const path = MEMORY_PATHS[target]
    const message = `'${path}' is not valid UTF-8, so it was left as it is. Save it as UTF-8, or move it away, then retry.`
    return err(new HermesError('unreadable', message, { cause, details: { path } }))
  }
  const parsed = splitEntries(text)
  const stripped = stripWhiteSpace(text)
  return ok({ entries: dedupeEntries(parsed), hasCosmeticDrift: stripped !== '' && stripped !== joinEntries(parsed) })
}

/** A first entry that itself starts with a byte order mark gets a second one, because reading drops one. */
export const encodeMemoryDocument = (entries: readonly string[]): Uint8Array => {
  const text = joinEntries(entries)
  return new TextEncoder().encode(text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + text : text)
}
