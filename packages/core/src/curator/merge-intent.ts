/** The journal of one merge: planned writes and moves, stored from before the first change until the last (seed 003, exercise 6). */
import * as z from 'zod/mini'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { libraryDocument } from '../storage/json-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { CURATOR_FOLDER } from '../storage/storage-paths.ts'
import { BACKUPS_FOLDER } from './backup/backup-scope.ts'
import { writeAhead } from './write-ahead.ts'

export const MERGE_INTENT_PATH = `${BACKUPS_FOLDER}/.merge.json`

/** Merges that wait for a person's approval. */
export const WAITING_MERGES_PATH = `${CURATOR_FOLDER}/consolidation-waiting.json`

const source = z.object({
  name: z.string(),
  /** Relative to the skills folder. */
  path: z.string(),
  /** Paths inside the skill's folder, SKILL.md included. */
  files: z.array(z.object({ path: z.string(), sha256: z.string() })),
  reason: z.string(),
})

const intent = z.object({
  version: z.literal(1),
  /** Epoch milliseconds; identifies the merge. */
  startedAt: z.number(),
  /** No skill is moved before `archiving`; from then on the umbrella is complete. */
  phase: z.enum(['writing', 'archiving']),
  umbrella: z.object({
    name: z.string(),
    path: z.string(),
    isNew: z.boolean(),
    createdBy: z.nullable(z.enum(['agent'])),
    /** The model that wrote the merge. */
    model: z.optional(z.string()),
  }),
  /** By document path. `after`: SHA-256 of the text to write; `before`: the previous text, null for a new file. */
  writes: z.array(z.object({ path: z.string(), after: z.string(), before: z.nullable(z.string()) })),
  /** The skills to merge, with hashes of their files as read: a skill that has changed since is not archived. */
  sources: z.array(source),
})

export type MergeSource = z.infer<typeof source>
export type MergeIntent = z.infer<typeof intent>

const journal = writeAhead<MergeIntent>(MERGE_INTENT_PATH, libraryDocument(intent))

/** `undefined` if no merge is in progress or unfinished. */
export const readMergeIntent = journal.read

const locked = (message: string): Result<never> => err(new HermesError('locked', message, { details: { path: MERGE_INTENT_PATH } }))

/** `locked` if another merge is unfinished. */
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

/** The umbrella is complete and verified: from now on an interrupted merge is finished, not undone. */
export const beginArchiving = async (storage: StorageBackend, own: MergeIntent): Promise<Result<void>> => {
  const begun = await journal.advance(storage, sameAs(own), () => ({ ...own, phase: 'archiving' }))
  if (!begun.ok) return begun
  return begun.value
    ? ok(undefined)
    : locked('The journal of this merge is gone: another run assumed that this one had crashed, and settled it. This run stops.')
}

export const closeMergeIntent = (storage: StorageBackend, own: MergeIntent): Promise<Result<void>> => journal.close(storage, sameAs(own))
