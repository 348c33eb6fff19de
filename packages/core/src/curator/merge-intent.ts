/** The journal of one merge: what is about to be written and moved, from before the first byte until all is done (seed 003, exercise 6). */
import * as z from 'zod'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { libraryDocument } from '../storage/json-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { CURATOR_FOLDER } from '../storage/storage-paths.ts'
import { BACKUPS_FOLDER } from './backup/backup-scope.ts'
import { writeAhead } from './write-ahead.ts'

export const MERGE_INTENT_PATH = `${BACKUPS_FOLDER}/.merge.json`

/** Merges that wait for a person's yes. */
export const WAITING_MERGES_PATH = `${CURATOR_FOLDER}/consolidation-waiting.json`

const source = z.object({
  name: z.string(),
  /** Below the folder of skills. */
  path: z.string(),
  /** By path inside its folder, the SKILL.md among them. */
  files: z.array(z.object({ path: z.string(), sha256: z.string() })),
  reason: z.string(),
})

const intent = z.object({
  version: z.literal(1),
  /** Epoch milliseconds; identifies the merge. */
  startedAt: z.number(),
  /** No skill has been moved before `archiving`; from then on the umbrella is whole. */
  phase: z.enum(['writing', 'archiving']),
  umbrella: z.object({
    name: z.string(),
    path: z.string(),
    isNew: z.boolean(),
    createdBy: z.enum(['agent']).nullable(),
    /** The model that wrote it. */
    model: z.string().optional(),
  }),
  /** Document paths. `after`: sha-256 of what is written; `before`: the text that was there, null for a new file. */
  writes: z.array(z.object({ path: z.string(), after: z.string(), before: z.string().nullable() })),
  /** The skills that go into it, with the files that were merged as they were read: only a skill that is still the same goes. */
  sources: z.array(source),
})

export type MergeSource = z.infer<typeof source>
export type MergeIntent = z.infer<typeof intent>

const journal = writeAhead<MergeIntent>(MERGE_INTENT_PATH, libraryDocument(intent))

/** `undefined` where no merge is under way or unfinished. */
export const readMergeIntent = journal.read

const locked = (message: string): Result<never> => err(new HermesError('locked', message, { details: { path: MERGE_INTENT_PATH } }))

/** `locked` where another one is unfinished. */
export const openMergeIntent = async (storage: StorageBackend, own: MergeIntent): Promise<Result<void>> => {
  const first = await journal.open(storage, own)
  if (!first.ok) return first
  return first.value
    ? locked('Another merge of skills is unfinished. Run the curator again: it finishes or undoes that one first.')
    : ok(undefined)
}

const sameAs =
  ({ startedAt, umbrella }: MergeIntent) =>
  (current: MergeIntent): boolean =>
    current.startedAt === startedAt && current.umbrella.path === umbrella.path

/** The umbrella is whole and verified: from here on an interruption is finished, not undone. */
export const beginArchiving = async (storage: StorageBackend, own: MergeIntent): Promise<Result<void>> => {
  const begun = await journal.advance(storage, sameAs(own), () => ({ ...own, phase: 'archiving' }))
  if (!begun.ok) return begun
  return begun.value
    ? ok(undefined)
    : locked('The journal of this merge is gone, so the run was taken for dead and settled by another. It stops here.')
}

export const closeMergeIntent = (storage: StorageBackend, own: MergeIntent): Promise<Result<void>> => journal.close(storage, sameAs(own))
