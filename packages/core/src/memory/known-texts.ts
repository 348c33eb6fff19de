/** What was found out about texts: it depends on the text alone, so that a new session or write need not search all entries of its home again. */
import { equalBytes } from '../shared/equal-bytes.ts'
import { withLate } from '../shared/load-late.ts'
import { ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { holdsCredential } from '../threats/credentials/find-credentials.ts'
import { createMemoryScan, type MemoryScan } from '../threats/scan.ts'
import { type FactsFile, parseFacts } from './facts.ts'
import { AT_ONCE_BYTES, decodeMemoryDocument, type MemoryDocument } from './memory-document.ts'
import type { MemoryTarget } from './memory-op.ts'

/** More entries of ordinary length than the largest store holds: with fewer, every change of a full one would work out all of them again. */
export const MAX_REMEMBERED_TEXTS = 1024

interface Parsed<T> {
  readonly bytes: Uint8Array
  readonly value: T
}

const isOf = (parsed: Parsed<unknown> | undefined, bytes: Uint8Array): boolean => parsed !== undefined && equalBytes(parsed.bytes, bytes)

/** Of the entries of one load of each file, and of some texts of later changes. */
export class KnownTexts {
  readonly scans: Readonly<Record<MemoryTarget, MemoryScan>> = { memory: createMemoryScan(), user: createMemoryScan() }
  readonly #secrets = new Map<string, boolean>()
  readonly #large: Partial<Record<MemoryTarget, Parsed<MemoryDocument>>> = {}
  #facts: Parsed<FactsFile> | undefined

  /** As `holdsCredential`. */
  readonly isSecret = (text: string): boolean => {
    const found = this.#secrets.get(text) ?? holdsCredential(text)
    this.#secrets.set(text, found)
    const [oldest] = this.#secrets.keys()
    if (this.#secrets.size > MAX_REMEMBERED_TEXTS && oldest !== undefined) this.#secrets.delete(oldest)
    return found
  }

  facts(bytes: Uint8Array | undefined): Result<FactsFile> {
    if (bytes && this.#facts && isOf(this.#facts, bytes)) return ok(this.#facts.value)
    const parsed = parseFacts(bytes)
    if (parsed.ok && bytes) this.#facts = { bytes, value: parsed.value }
    return parsed
  }

  /** Undefined for a file that takes long to decode: call `decodeLarge`, and then this again. */
  decode(target: MemoryTarget, bytes: Uint8Array | undefined): Result<MemoryDocument> | undefined {
    if (!bytes || bytes.length <= AT_ONCE_BYTES) return decodeMemoryDocument(target, bytes)
    const large = this.#large[target]
    return large && isOf(large, bytes) ? ok(large.value) : undefined
  }

  /** Other work runs in between. */
  async decodeLarge(target: MemoryTarget, bytes: Uint8Array): Promise<Result<MemoryDocument>> {
    const decoded = await withLate(
      'The code that reads large files',
      () => import('./large-document.ts'),
      ({ decodeInSlices }) => decodeInSlices(target, bytes),
    )
    if (decoded.ok) this.#large[target] = { bytes, value: decoded.value }
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
