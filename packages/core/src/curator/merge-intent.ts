/** The journal of one merge: what is about to be written and moved, from before the first byte until all is done (seed 003, exercise 6). */
import * as z from 'zod'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { type LimitedSchema, libraryDocument, readJsonDocument, updateJsonDocument } from '../storage/json-document.ts'
import { type StorageBackend, UNCHANGED } from '../storage/storage-backend.ts'
import { BACKUPS_FOLDER } from './backup/backup-scope.ts'

export const MERGE_INTENT_PATH = `${BACKUPS_FOLDER}/.merge.json`

export interface MergeSource {
  readonly name: string
  /** Below the folder of skills. */
  readonly path: string
  /** By path inside its folder, the SKILL.md among them. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[]
  readonly reason: string
}

export interface MergeIntent {
  readonly version: 1
  /** Epoch milliseconds; tells one merge from another. */
  readonly startedAt: number
  /** No skill has been moved before `archiving`; from then on the umbrella is whole. */
  readonly phase: 'writing' | 'archiving'
  readonly umbrella: {
    readonly name: string
    readonly path: string
    readonly isNew: boolean
    readonly createdBy: 'agent' | null
    /** The model that wrote it. */
    readonly model?: string | undefined
  }
  /** Document paths. `after`: sha-256 of what is written; `before`: the text that was there, null for a new file. */
  readonly writes: readonly { readonly path: string; readonly after: string; readonly before: string | null }[]
  /** Those that go into it, with the files that were merged as they were read: only a skill that still is that one goes. */
  readonly sources: readonly MergeSource[]
}

const schema: LimitedSchema<MergeIntent> = libraryDocument(
  z.object({
    version: z.literal(1),
    startedAt: z.number(),
    phase: z.enum(['writing', 'archiving']),
    umbrella: z.object({
      name: z.string(),
      path: z.string(),
      isNew: z.boolean(),
      createdBy: z.enum(['agent']).nullable(),
      model: z.string().optional(),
    }),
    writes: z.array(z.object({ path: z.string(), after: z.string(), before: z.string().nullable() })),
    sources: z.array(
      z.object({
        name: z.string(),
        path: z.string(),
        files: z.array(z.object({ path: z.string(), sha256: z.string() })),
        reason: z.string(),
      }),
    ),
  }),
)

/** `undefined` where no merge is under way or unfinished. */
export const readMergeIntent = (storage: StorageBackend): Promise<Result<MergeIntent | undefined>> =>
  readJsonDocument(storage, MERGE_INTENT_PATH, schema)

/** `locked` where another one is unfinished. */
export const openMergeIntent = async (storage: StorageBackend, intent: MergeIntent): Promise<Result<void>> => {
  let isTaken = false
  const written = await updateJsonDocument(storage, MERGE_INTENT_PATH, schema, (current) => {
    isTaken = current !== undefined
    return isTaken ? UNCHANGED : intent
  })
  if (!written.ok) return written
  const message = 'Another merge of skills is unfinished. Run the curator again: it finishes or undoes that one first.'
  return isTaken ? err(new HermesError('locked', message, { details: { path: MERGE_INTENT_PATH } })) : ok(undefined)
}

const sameMerge = (a: MergeIntent | undefined, b: MergeIntent): boolean =>
  a?.startedAt === b.startedAt && a.umbrella.path === b.umbrella.path

/** The umbrella is whole and verified: from here on an interruption is finished, not undone. */
export const beginArchiving = async (storage: StorageBackend, intent: MergeIntent): Promise<Result<void>> => {
  let isOurs = false
  const written = await updateJsonDocument(storage, MERGE_INTENT_PATH, schema, (current): MergeIntent | typeof UNCHANGED => {
    isOurs = sameMerge(current, intent)
    return isOurs ? { ...intent, phase: 'archiving' } : UNCHANGED
  })
  if (!written.ok) return written
  const message = 'The journal of this merge is gone, so the run was taken for dead and settled by another. It stops here.'
  return isOurs ? ok(undefined) : err(new HermesError('locked', message, { details: { path: MERGE_INTENT_PATH } }))
}

export const closeMergeIntent = async (storage: StorageBackend, intent: MergeIntent): Promise<Result<void>> => {
  const written = await updateJsonDocument(storage, MERGE_INTENT_PATH, schema, (current) =>
    sameMerge(current, intent) ? undefined : UNCHANGED,
  )
  return written.ok ? ok(undefined) : written
}
