/** Up to where conversations and documents were read that were learned from on request: one entry for each, by its digest. No text of theirs is stored. */
import * as z from 'zod/mini'
import { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { jsonBytes, jsonIn, readableJsonIn } from '../storage/json-document.ts'
import { orError } from '../storage/one-document.ts'
import type { Cut, StorageBackend } from '../storage/storage-backend.ts'
import { LEARNED_FOLDER } from '../storage/storage-paths.ts'

export interface LearnedSource {
  /** Number of its turns that were read. */
  readonly turns: number
  /** The act in which they were last read. */
  readonly learnId: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** By digest, up to where sources were read. */
export type SourceMarks = ReadonlyMap<string, Pick<LearnedSource, 'turns' | 'learnId'>>

export interface LearnedSources {
  /** By digest. */
  readonly sources: ReadonlyMap<string, LearnedSource>
  /** All that is stored, also of sources whose learning was taken back: for `LearnBatch.marks`. */
  readonly marks: SourceMarks
  /** The act of which the last batch was not read; one that goes on with its sources may have its id. */
  readonly unfinished: string | undefined
}

/** What one batch has read. */
export interface SourceReading {
  readonly learnId: string
  readonly read: ReadonlyMap<string, number>
  readonly at: number
  /** No batch of the act follows. */
  readonly isLast: boolean
}

const UNFINISHED_PATH = `${LEARNED_FOLDER}/unfinished.json`

const unfinishedSchema = z.looseObject({ version: z.literal(1), learnId: z.string() })

const sourcesSchema = z.looseObject({
  version: z.literal(1),
  sources: z.record(z.string(), z.object({ turns: z.int().check(z.minimum(0)), learnId: z.string(), at: z.number() })),
})

/** In many small documents, since each batch writes those of its sources. A digest is of hexadecimal digits. */
const sourcePath = (digest: string): string => `${LEARNED_FOLDER}/${digest.slice(0, 2)}.json`

const shardsOf = (read: ReadonlyMap<string, number>): readonly string[] => [...new Set([...read.keys()].map(sourcePath))]

/** The documents that `noteSources` reads and writes. */
export const pathsOf = (read: ReadonlyMap<string, number>): readonly string[] =>
  read.size === 0 ? [] : [UNFINISHED_PATH, ...shardsOf(read)]

/** The documents with the marks of a batch. */
export const noteSources = (cut: Cut, { learnId, read, at, isLast }: SourceReading): Readonly<Record<string, Uint8Array | null>> => {
  // A conversation that comes from no source leaves no mark.
  if (read.size === 0) return {}
  const put: Record<string, Uint8Array | null> = {
    [UNFINISHED_PATH]: isLast ? null : jsonBytes(UNFINISHED_PATH, { version: 1 as const, learnId }, unfinishedSchema),
  }
  for (const path of shardsOf(read)) {
    const known = jsonIn(cut, path, sourcesSchema) ?? { version: 1 as const, sources: {} }
    const noted = [...read].filter(([digest]) => sourcePath(digest) === path)
    const sources = { ...known.sources, ...Object.fromEntries(noted.map(([digest, turns]) => [digest, { turns, learnId, at }])) }
    put[path] = jsonBytes(path, { ...known, sources }, sourcesSchema)
  }
  return put
}

const CHANGED =
  'Another act of learning has read from the same sources since this batch was planned, so it was not read again, and no model was asked.'

/** Throws `superseded` if a source of the batch has another mark than expected, and `unreadable` if it could not be marked. `marks` undefined: any will do. */
export const checkMarks = (cut: Cut, read: SourceReading['read'], marks: SourceMarks | undefined): void => {
  const stored = new Map(shardsOf(read).map((path) => [path, jsonIn(cut, path, sourcesSchema)?.sources ?? {}]))
  for (const digest of marks ? read.keys() : []) {
    const [is, was] = [stored.get(sourcePath(digest))?.[digest], marks?.get(digest)]
    if (is?.turns !== was?.turns || is?.learnId !== was?.learnId) throw new HermesError('superseded', CHANGED)
  }
}

/** Fails with `unreadable` if a document cannot be read. */
export const readSources = (storage: StorageBackend): Promise<Result<Omit<LearnedSources, 'marks'>>> =>
  orError<Omit<LearnedSources, 'marks'>>(async () => {
    const listed = await storage.list(LEARNED_FOLDER)
    if (!listed.ok) return listed
    const paths = listed.value.map(({ path }) => path).filter((path) => path.endsWith('.json'))
    if (paths.length === 0) return ok({ sources: new Map(), unfinished: undefined })
    const cut = await storage.read(paths)
    if (!cut.ok) return cut
    const shards = paths.filter((path) => path !== UNFINISHED_PATH)
    const sources = new Map(shards.flatMap((path) => Object.entries(jsonIn(cut.value, path, sourcesSchema)?.sources ?? {})))
    const isOpen = paths.includes(UNFINISHED_PATH)
    return ok({ sources, unfinished: isOpen ? readableJsonIn(cut.value, UNFINISHED_PATH, unfinishedSchema)?.learnId : undefined })
  })
