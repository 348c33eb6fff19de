/** Keeps a copy of bytes that are about to go, under a name that no other bytes have: nothing is overwritten unseen. */
import { equalBytes } from '../shared/equal-bytes.ts'
import { fingerprint } from '../shared/fingerprint.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { type DocumentContent, type StorageBackend, UNCHANGED } from './storage-backend.ts'

const MAX_NAMES_TRIED = 100

/** A name by content, so that processes that find the same bytes keep one copy. One character for each byte: what is no text keeps its difference. */
export const nameByContent = (bytes: Uint8Array): string => fingerprint(new TextDecoder('latin1').decode(bytes))

/** The path of a document with exactly these bytes, the first such or free one of `pathOf(1)`, `pathOf(2)`, …; `occupied` where a hundred are taken. */
export const keepCopy = async (
  storage: StorageBackend,
  { bytes, executable = false }: DocumentContent,
  pathOf: (serial: number) => string,
  original: string,
): Promise<Result<string>> => {
  for (let serial = 1; serial <= MAX_NAMES_TRIED; serial++) {
    const path = pathOf(serial)
    const kept = await storage.update(path, (current) => (current === undefined ? { bytes, executable } : UNCHANGED))
    if (!kept.ok) return kept
    if (kept.value && equalBytes(kept.value.bytes, bytes)) return ok(path)
  }
  const message = `No free name for a copy of '${original}': '${pathOf(1)}' and ${MAX_NAMES_TRIED - 1} more are taken. Clear that folder.`
  return err(new HermesError('occupied', message, { details: { path: original } }))
}
