/** Up to where conversations and documents were read that were learned from on request: one entry for each, by its digest. No text of theirs is stored. */
import * as z from 'zod/mini'
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

export interface LearnedSources {
  /** By digest. */
  readonly sources: ReadonlyMap<string, LearnedSource>
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

/** Fails with `unreadable` if a document cannot be read: its sources could not be marked, so reading them would be for nothing. `of`: these alone; default: all. */
export const readSources = (storage: StorageBackend, of?: SourceReading['read']): Promise<Result<LearnedSources>> =>
  orError<LearnedSources>(async () => {
    const listed = await storage.list(LEARNED_FOLDER)
    if (!listed.ok) return listed
    const wanted = of && new Set(pathsOf(of))
    const paths = listed.value.map(({ path }) => path).filter((path) => (wanted ? wanted.has(path) : path.endsWith('.json')))
    if (paths.length === 0) return ok({ sources: new Map(), unfinished: undefined })
    const cut = await storage.read(paths)
    if (!cut.ok) return cut
    const shards = paths.filter((path) => path !== UNFINISHED_PATH)
    const sources = new Map(shards.flatMap((path) => Object.entries(jsonIn(cut.value, path, sourcesSchema)?.sources ?? {})))
    const isOpen = paths.includes(UNFINISHED_PATH)
    return ok({ sources, unfinished: isOpen ? readableJsonIn(cut.value, UNFINISHED_PATH, unfinishedSchema)?.learnId : undefined })
  })
