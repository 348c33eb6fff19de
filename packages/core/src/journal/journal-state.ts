/**
 * `journal/.state.json`: the time of the last tidying, and whether every day has its day document. Derived: if missing or damaged, it is
 * created anew.
 */

import * as z from 'zod/mini'
import { canonicalJson } from '../shared/canonical-json.ts'
import { ok, type Result } from '../shared/result.ts'
import { readDocument, UNCHANGED, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import { JOURNAL_FOLDER } from '../storage/storage-paths.ts'

const JOURNAL_STATE_PATH = `${JOURNAL_FOLDER}/.state.json`

const stateSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    version: z.literal(1),
    /** Epoch milliseconds of the beginning of the last pass. */
    tidiedAt: z.number(),
    /** True if every day with records has a day document; in older homes only after a pass. */
    daysKnown: z.boolean(),
  }),
)

export type JournalState = z.infer<typeof stateSchema>

const decode = (document: StoredDocument | undefined): JournalState | undefined => {
  if (!document) return undefined
  try {
    return stateSchema.safeParse(JSON.parse(new TextDecoder().decode(document.bytes))).data
  } catch {
    return undefined
  }
}

/** Undefined if there is none or it cannot be read. */
export const readJournalState = async (storage: StorageBackend): Promise<Result<JournalState | undefined>> => {
  const document = await readDocument(storage, JOURNAL_STATE_PATH)
  return document.ok ? ok(decode(document.value)) : document
}

/** Atomic; `change` is pure and returns the next state, or undefined for no change. */
export const updateJournalState = async (
  storage: StorageBackend,
  change: (current: JournalState | undefined) => JournalState | undefined,
): Promise<Result<void>> => {
  const updated = await updateDocument(storage, JOURNAL_STATE_PATH, (document) => {
    const next = change(decode(document))
    return next ? new TextEncoder().encode(canonicalJson(next)) : UNCHANGED
  })
  return updated.ok ? ok(undefined) : updated
}
