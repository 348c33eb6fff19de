/** `journal/.state.json`: when the journal was last tidied, and whether every day has its day document. Derived: where it is missing or damaged, it is made anew. */
import * as z from 'zod'
import { canonicalJson } from '../shared/canonical-json.ts'
import { ok, type Result } from '../shared/result.ts'
import type { StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import { UNCHANGED } from '../storage/storage-backend.ts'
import { JOURNAL_FOLDER } from '../storage/storage-paths.ts'

export const JOURNAL_STATE_PATH = `${JOURNAL_FOLDER}/.state.json`

const stateSchema = /* @__PURE__ */ z.lazy(() =>
  z.object({
    version: z.literal(1),
    /** Epoch milliseconds: when a pass last began. */
    tidiedAt: z.number(),
    /** The day documents name every day that has records; older homes have days without one until a pass has been there. */
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

/** Undefined where there is none, or none that can be read. */
export const readJournalState = async (storage: StorageBackend): Promise<Result<JournalState | undefined>> => {
  const document = await storage.read(JOURNAL_STATE_PATH)
  return document.ok ? ok(decode(document.value)) : document
}

/** Atomic; `change` is pure and answers the next state, or undefined to leave it. */
export const updateJournalState = async (
  storage: StorageBackend,
  change: (current: JournalState | undefined) => JournalState | undefined,
): Promise<Result<void>> => {
  const updated = await storage.update(JOURNAL_STATE_PATH, (document) => {
    const next = change(decode(document))
    return next ? new TextEncoder().encode(canonicalJson(next)) : UNCHANGED
  })
  return updated.ok ? ok(undefined) : updated
}
