/** What was found out about texts and documents: it depends on them alone, so that a new session or write need not search all entries of its home again. */
import { byText } from '../shared/by-text.ts'
import { equalBytes, startsWithBytes } from '../shared/equal-bytes.ts'
import { withLate } from '../shared/load-late.ts'
import { ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { holdsCredential } from '../threats/credentials/find-credentials.ts'
import { createMemoryScan, type MemoryScan } from '../threats/scan.ts'
import { type FactsFile, moreFacts, parseFacts } from './facts.ts'
import { AT_ONCE_BYTES, decodeMemoryDocument, type MemoryDocument } from './memory-document.ts'
import type { MemoryTarget } from './memory-op.ts'

interface Parsed<T> {
  readonly bytes: Uint8Array
  readonly value: T
}

/** Of the latest bytes of each document, and of a bounded number of texts. */
export class KnownTexts {
  readonly scan: MemoryScan = createMemoryScan()
  /** As `holdsCredential`. */
  readonly isSecret: (text: string) => boolean = byText(holdsCredential)
  readonly #documents: Partial<Record<MemoryTarget, Parsed<MemoryDocument>>> = {}
  #facts: Parsed<FactsFile> | undefined

  /** Where lines were appended to what was read last, only these are read. */
  facts(bytes: Uint8Array | undefined): Result<FactsFile> {
    const known = bytes && this.#facts && startsWithBytes(bytes, this.#facts.bytes) ? this.#facts : undefined
    if (bytes && known && bytes.length === known.bytes.length) return ok(known.value)
    const more = bytes && known && moreFacts(known.value, known.bytes, bytes)
    const parsed = more ? ok(more) : parseFacts(bytes)
    if (parsed.ok && bytes) this.#facts = { bytes, value: parsed.value }
    return parsed
  }

  /** Undefined for a file that takes long to decode: call `decodeLarge`, and then this again. */
  decode(target: MemoryTarget, bytes: Uint8Array | undefined): Result<MemoryDocument> | undefined {
    const known = this.#documents[target]
    if (bytes && known && equalBytes(known.bytes, bytes)) return ok(known.value)
    if (bytes && bytes.length > AT_ONCE_BYTES) return undefined
    const decoded = decodeMemoryDocument(target, bytes)
    if (decoded.ok && bytes) this.remember(target, bytes, decoded.value)
    return decoded
  }

  remember(target: MemoryTarget, bytes: Uint8Array, value: MemoryDocument): void {
    this.#documents[target] = { bytes, value }
  }

  /** Other work runs in between. */
  async decodeLarge(target: MemoryTarget, bytes: Uint8Array): Promise<Result<MemoryDocument>> {
    const decoded = await withLate(
      'The code that reads large files',
      () => import('./large-document.ts'),
      ({ decodeInSlices }) => decodeInSlices(target, bytes),
    )
    if (decoded.ok) this.remember(target, bytes, decoded.value)
    return decoded
  }
}

const known = new WeakMap<object, KnownTexts>()

/** Shared by the stores of one storage object, which is that of one home, and dropped with it. */
export const knownTextsOf = (storage: StorageBackend & { readonly base?: object }): KnownTexts => {
  // A transaction is over soon.
  const { base = storage } = storage
  const found = known.get(base) ?? new KnownTexts()
  known.set(base, found)
  return found
}
