/**
 * The documents that this back end read or wrote last. An update begins with them, so it costs one round trip; the database refuses it if
 * the document has changed since. Never used to answer a read.
 */
import type { StoredDocument } from '@hermes/core/storage'
import { copyOf } from './document-rows.ts'

const MAX_PATHS = 1_000
const MAX_BYTES = 4 * 1024 * 1024
const MAX_DOCUMENT_BYTES = 256 * 1024

/** `document` is `undefined` if there was none. */
export interface KnownDocument {
  readonly document: StoredDocument | undefined
}

export interface KnownDocuments {
  readonly get: (path: string) => KnownDocument | undefined
  readonly set: (path: string, document: StoredDocument | undefined) => void
  readonly forget: (path: string) => void
  /** Forgets all. */
  readonly clear: () => void
}

export const createKnownDocuments = (): KnownDocuments => {
  const known = new Map<string, KnownDocument>()
  let bytes = 0

  const forget = (path: string): void => {
    bytes -= known.get(path)?.document?.bytes.length ?? 0
    known.delete(path)
  }
  const set = (path: string, document: StoredDocument | undefined): void => {
    forget(path)
    const size = document?.bytes.length ?? 0
    if (size > MAX_DOCUMENT_BYTES) return
    // Callers may change the bytes that they got.
    known.set(path, { document: document && copyOf(document) })
    bytes += size
    for (const oldest of known.keys()) {
      if (known.size <= MAX_PATHS && bytes <= MAX_BYTES) break
      forget(oldest)
    }
  }
  const clear = (): void => {
    known.clear()
    bytes = 0
  }
  return { get: (path) => known.get(path), set, forget, clear }
}
