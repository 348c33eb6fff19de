/** Copies bytes that are about to be replaced, under a name that no other content has, so that nothing is overwritten. */

import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { UNCHANGED, updateDocument } from './one-document.ts'
import type { DocumentContent, StorageBackend } from './storage-backend.ts'

const MAX_NAMES_TRIED = 100

/**
 * Returns the path of a document with exactly these bytes: the first match or free path of `pathOf(1)`, `pathOf(2)`, …; `occupied` if a
 * hundred are taken.
 */
export const keepCopy = async (
  storage: StorageBackend,
  { bytes, executable = false }: DocumentContent,
  pathOf: (serial: number) => string,
  original: string,
): Promise<Result<string>> => {
  for (let serial = 1; serial <= MAX_NAMES_TRIED; serial++) {
    const path = pathOf(serial)
    const kept = await updateDocument(storage, path, (current) => (current === undefined ? { bytes, executable } : UNCHANGED))
    if (!kept.ok) return kept
    if (kept.value && equalBytes(kept.value.bytes, bytes)) return ok(path)
  }
  const message = `No free name for a copy of '${original}': '${pathOf(1)}' and ${MAX_NAMES_TRIED - 1} more are taken. Clear that folder.`
  return err(new HermesError('occupied', message, { details: { path: original } }))
}
