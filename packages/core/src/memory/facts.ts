/**
 * What is known of each entry besides its text: whose words it is, its dates, a pin. Stored beside the memory files, whose format does not change (DESIGN 5),
 * as lines of which the last one of an entry counts. Pure.
 */

import { HermesError } from '../shared/hermes-error.ts'
import { jsonLines } from '../shared/json-lines.ts'
import { isData, parseJson } from '../shared/json-texts.ts'
import { ORIGINS, type Origin } from '../shared/origin.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { FACTS_PATH } from '../storage/storage-paths.ts'
import { isTime, timeOf } from './entry-time.ts'
import {
  type ByTarget,
  type EntryFacts,
  type EntryOrigin,
  type EntryTime,
  isMemoryTarget,
  MEMORY_TARGETS,
  type MemoryTarget,
} from './memory-op.ts'

/** The source of a write, set by the platform. */
export interface MemorySource {
  readonly origin: Origin
  readonly sessionId?: string
  /** Free text; archived with the entries that the write removes. */
  readonly reason?: string
  /** True if no text from outside was in the context: an entry from outside with the same text gets this origin. */
  readonly raises?: boolean
  /** `outside`: text from outside was in the context, so only entries from outside are evicted for it, whatever its origin. */
  readonly sight?: 'own' | 'outside'
}

/** The source of an entry restored from the archive or imported: its age and trust are kept, never raised. */
export interface RecordedSource extends MemorySource {
  /** Epoch milliseconds; 0 if unknown. */
  readonly firstSeenAt?: number
  /** Epoch milliseconds. Default: now. */
  readonly lastConfirmedAt?: number
}

/** Whose words a write gives: those of the source, or text that counts as written by hand, such as an entry of an import that was. */
export type WriteSource = RecordedSource | { readonly origin: 'external' }

/**
 * How a write treats the entries that stand. `unnamed`: its caller named no source, so it only confirms them. `takes-back`: an undo, which gives an entry what was
 * known of it before; without a source, nothing was. Undefined: as the source says.
 */
export type WriteMode = 'unnamed' | 'takes-back'

export interface FactRecord extends EntryTime {
  /** `external`: only a pin and days are recorded. */
  readonly origin: EntryOrigin
  readonly sessionId?: string
  /** Epoch milliseconds. */
  readonly firstSeenAt: number
  /** Epoch milliseconds; updated when the same text is added again. */
  readonly lastConfirmedAt: number
  readonly pinned?: true
}

/** By the text of the entry. Of each entry that has none, nothing is known: it was written by hand. */
export type FactRecords = ReadonlyMap<string, FactRecord>

/** Those of a project are in a document of their own. */
export type Facts = ByTarget<FactRecords>

export const NO_RECORDS: FactRecords = new Map()
export const NO_FACTS: Facts = { memory: new Map(), user: new Map() }

/** Bytes; far above what the two stores can have. */
const MOST_BYTES = 8 * 1024 * 1024

/** The first key of each line. */
const FIRST_KEY = 'target'

const isRecord = (value: Readonly<Record<string, unknown>>): value is Readonly<Record<string, unknown>> & FactRecord =>
  [...ORIGINS, 'external'].some((origin) => origin === value['origin']) &&
  [value['firstSeenAt'], value['lastConfirmedAt']].every(Number.isFinite) &&
  ['string', 'undefined'].includes(typeof value['sessionId']) &&
  [true, undefined].includes(value['pinned'] as true | undefined) &&
  isTime({ from: value['from'], until: value['until'] })

interface FactLine {
  readonly target: MemoryTarget
  readonly entry: string
  /** Undefined: the entry has left. */
  readonly record: FactRecord | undefined
}

const parseLine = (text: string): FactLine | undefined => {
  const line = parseJson(text)
  if (!isData(line)) return undefined
  const { target, entry, gone, ...record } = line
  if (!isMemoryTarget(target) || typeof entry !== 'string') return undefined
  if (gone === true) return { target, entry, record: undefined }
  return isRecord(record) ? { target, entry, record } : undefined
}

const unreadable = (path: string, why: string): HermesError =>
  new HermesError(
    'unreadable',
    `'${path}' ${why}. It says whose words each entry is, so it is left as it is and memory is not changed: repair it with 'hermes doctor --repair', or move it away, after which every entry counts as written by hand.`,
    { details: { path } },
  )

export interface FactsFile {
  readonly facts: Facts
  /** Also those that later ones have replaced. */
  readonly lines: number
}

/** `unreadable` for a line that the library cannot have written: an entry whose record is lost would pass for one that a person wrote. */
export const parseFacts = (bytes: Uint8Array | undefined, path: string = FACTS_PATH): Result<FactsFile> => {
  if (!bytes) return ok({ facts: NO_FACTS, lines: 0 })
  if (bytes.length > MOST_BYTES) return err(unreadable(path, `has more than ${MOST_BYTES} bytes`))
  return parseLines(new TextDecoder().decode(bytes), { facts: NO_FACTS, lines: 0 }, path)
}

const parseLines = (document: string, before: FactsFile, path: string): Result<FactsFile> => {
  const { memory, user, project, profile } = before.facts
  const facts: { -readonly [Target in keyof Facts]: Map<string, FactRecord> } = {
    memory: new Map(memory),
    user: new Map(user),
    ...(project ? { project: new Map(project) } : {}),
    ...(profile ? { profile: new Map(profile) } : {}),
  }
  let { lines } = before
  for (const { text, number } of jsonLines(document, FIRST_KEY)) {
    lines++
    const line = parseLine(text)
    if (!line) return err(unreadable(path, `has a damaged line (line ${number})`))
    const records = facts[line.target] ?? new Map<string, FactRecord>()
    facts[line.target] = records
    if (line.record) records.set(line.entry, line.record)
    else records.delete(line.entry)
  }
  return ok({ facts, lines })
}

/** As `parseFacts`, for a document whose beginning was parsed before. Undefined if all of it has to be parsed. */
export const moreFacts = (before: FactsFile, beginning: Uint8Array, bytes: Uint8Array): FactsFile | undefined => {
  if (bytes.length > MOST_BYTES || beginning.at(-1) !== 10) return undefined
  // From the line feed on, so that no byte order mark stands at the start.
  const parsed = parseLines(new TextDecoder().decode(bytes.subarray(beginning.length - 1)), before, FACTS_PATH)
  return parsed.ok ? parsed.value : undefined
}

const encoder = new TextEncoder()

const toLine = (target: MemoryTarget, entry: string, record: FactRecord | undefined): string =>
  `${JSON.stringify({ target, entry, ...(record ?? { gone: true }) })}\n`

/** The whole document. */
export const encodeFacts = (facts: Facts): Uint8Array =>
  encoder.encode(
    MEMORY_TARGETS.flatMap((target) => [...(facts[target] ?? [])].map(([entry, record]) => toLine(target, entry, record))).join(''),
  )

/** More replaced lines than this, and as many as there are others, are reason to write the document anew. */
const MOST_REPLACED = 64

/** What an update has to do to the document for a target to have these records. */
export const writeFacts = (
  { facts, lines }: FactsFile,
  target: MemoryTarget,
  next: FactRecords,
): { readonly put?: Uint8Array; readonly append?: Uint8Array } => {
  const before = facts[target] ?? NO_RECORDS
  const changed = [...next].filter(([entry, record]) => before.get(entry) !== record)
  const gone = [...before.keys()].filter((entry) => !next.has(entry))
  if (changed.length + gone.length === 0) return {}
  const after = { ...facts, [target]: next }
  const standing = after.memory.size + after.user.size + (after.project?.size ?? 0) + (after.profile?.size ?? 0)
  const replaced = lines + changed.length + gone.length - standing
  if (replaced > MOST_REPLACED && replaced > standing) return { put: encodeFacts(after) }
  const texts = [
    ...gone.map((entry) => toLine(target, entry, undefined)),
    ...changed.map(([entry, record]) => toLine(target, entry, record)),
  ]
  return { append: encoder.encode(texts.join('')) }
}

/** Of each entry. One without a record is `external`, with unknown dates; if the records cannot be read, it counts as `tool`. */
export const factsOf = (facts: Result<Facts>, target: MemoryTarget, entries: readonly string[]): readonly EntryFacts[] =>
  entries.map((entry): EntryFacts => {
    const record = facts.ok ? facts.value[target]?.get(entry) : undefined
    const { origin, firstSeenAt, lastConfirmedAt, pinned } = record ?? {
      origin: facts.ok ? 'external' : 'tool',
      firstSeenAt: 0,
      lastConfirmedAt: 0,
    }
    return { entry, origin, firstSeenAt, lastConfirmedAt, ...(pinned ? { pinned } : {}), ...timeOf(record) }
  })
