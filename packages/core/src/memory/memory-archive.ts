/** The archive of a store: entries that have left it, a line each, only ever appended. The last line of a text counts. */

import * as z from 'zod/mini'
import { fingerprint } from '../shared/fingerprint.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { type JsonLine, jsonLines } from '../shared/json-lines.ts'
import { parseJson } from '../shared/json-texts.ts'
import { ORIGINS } from '../shared/origin.ts'
import { pause } from '../shared/pause.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { MEMORY_ARCHIVE_PATH } from '../storage/storage-paths.ts'
import { holdsCredential } from '../threats/credentials/find-credentials.ts'
import { REDACTED, redactCredentials } from '../threats/credentials/redact-credentials.ts'
import { isDay, timeOf } from './entry-time.ts'
import type { FactRecords, MemorySource } from './facts.ts'
import { foldWhiteSpace, type LostEntry } from './make-room.ts'
import { memoryFileName } from './memory-document.ts'
import type { EntryOrigin, EntryTime, MemoryTarget } from './memory-op.ts'
import { memoryTargetSchema } from './memory-op-schema.ts'

export interface ArchivedEntry extends EntryTime {
  /** For `restore`. Determined by the store and the text. */
  readonly id: string
  readonly target: MemoryTarget
  /** Verbatim; `[redacted: looks like a secret]` for an entry with a secret, which is not stored. */
  readonly text: string
  readonly redacted?: true
  readonly origin: EntryOrigin
  /** Epoch milliseconds; 0 if unknown. */
  readonly firstSeenAt: number
  /** Epoch milliseconds; 0 if unknown. */
  readonly lastConfirmedAt: number
  /** Epoch milliseconds. */
  readonly forgottenAt: number
  /** The session that removed it. */
  readonly sessionId?: string
  /** Free text. */
  readonly reason?: string
  /** The entry that replaced it. */
  readonly replacedBy?: string
}

const time = /* @__PURE__ */ z.number().check(/* @__PURE__ */ z.gte(0), /* @__PURE__ */ z.lte(8.64e15))

const archivedEntrySchema = /* @__PURE__ */ z.lazy(() =>
  z.looseObject({
    id: z.string().check(z.regex(ID)),
    target: memoryTargetSchema,
    text: z.string(),
    redacted: z.optional(z.literal(true)),
    origin: z.enum([...ORIGINS, 'external']),
    firstSeenAt: time,
    lastConfirmedAt: time,
    forgottenAt: time,
    from: z.optional(z.string().check(z.refine(isDay))),
    until: z.optional(z.string().check(z.refine(isDay))),
    sessionId: z.optional(z.string()),
    reason: z.optional(z.string()),
    replacedBy: z.optional(z.string()),
  }),
)

const ID = /^(?:memory|user|project|profile)-(?:[0-9a-f]{16}|redacted-\d{1,16}-\d{1,6})$/

export const archivedEntryId = (target: MemoryTarget, text: string): string => `${target}-${fingerprint(text)}`

/** For a text that may leave no trace: a short secret could be guessed from its fingerprint. */
const redactedId = (target: MemoryTarget, at: number, index: number): string => `${target}-redacted-${at}-${index}`

const evictedFrom = (target: MemoryTarget): string => `${memoryFileName(target)} was full, and this made room for a newer entry.`

export interface ArchivedChange {
  readonly target: MemoryTarget
  readonly lost: readonly LostEntry[]
  /** What was known of them. */
  readonly records: FactRecords
  readonly source?: MemorySource | undefined
  /** Epoch milliseconds. */
  readonly forgottenAt: number
}

/** Of an entry with a secret, only that there was one. */
export const toArchived = ({ target, lost, records, source, forgottenAt }: ArchivedChange): readonly ArchivedEntry[] =>
  lost.map(({ text, replacedBy, evicted }, index) => {
    const isSecret = holdsCredential(text)
    const reason = evicted ? evictedFrom(target) : source?.reason
    const { origin = 'external', firstSeenAt = 0, lastConfirmedAt = 0 } = records.get(text) ?? {}
    return {
      id: isSecret ? redactedId(target, forgottenAt, index) : archivedEntryId(target, text),
      target,
      text: isSecret ? REDACTED : text,
      ...(isSecret ? { redacted: true as const } : {}),
      origin,
      firstSeenAt,
      lastConfirmedAt,
      forgottenAt,
      ...timeOf(records.get(text)),
      ...(source?.sessionId === undefined ? {} : { sessionId: source.sessionId }),
      ...(reason === undefined ? {} : { reason: redactCredentials(reason) }),
      ...(replacedBy === undefined ? {} : { replacedBy: redactCredentials(replacedBy) }),
    }
  })

export const encodeArchived = (entries: readonly ArchivedEntry[]): Uint8Array =>
  new TextEncoder().encode(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))

/** Undefined for a line that is not an archived entry. */
export const parseArchived = (line: string): ArchivedEntry | undefined => {
  const parsed = archivedEntrySchema.safeParse(parseJson(line))
  return parsed.success ? (parsed.data as ArchivedEntry) : undefined
}

export const damagedLine = (path: string, line: number): HermesError =>
  new HermesError('unreadable', `Line ${line} of '${path}' is no archived entry. It is left as it is, and not listed.`, {
    details: { path },
  })

/** The first key of each line. */
const FIRST_KEY = 'id'

export const decodeArchive = (bytes: Uint8Array | undefined): string => (bytes ? new TextDecoder().decode(bytes) : '')

/** The lines of the decoded archive that are not blank. */
export const archiveLines = (text: string): Iterable<JsonLine> => jsonLines(text, FIRST_KEY)

type OnProblem = (problem: HermesError) => void

const takeLine = (found: Map<string, ArchivedEntry>, { text, number }: JsonLine, onProblem: OnProblem, path: string): void => {
  const entry = parseArchived(text)
  if (entry) found.set(entry.id, entry)
  else onProblem(damagedLine(path, number))
}

/** The newest entry of each id. `onProblem` is called for each damaged line. */
export const readArchive = (bytes: Uint8Array | undefined, onProblem: OnProblem = () => {}): ReadonlyMap<string, ArchivedEntry> => {
  const found = new Map<string, ArchivedEntry>()
  for (const line of archiveLines(decodeArchive(bytes))) takeLine(found, line, onProblem, MEMORY_ARCHIVE_PATH)
  return found
}

/** Characters between two pauses. */
export const SLICE_CHARS = 32_768

/** As `readArchive`; other work runs in between. */
export const readArchiveInSlices = async (
  bytes: Uint8Array | undefined,
  onProblem: OnProblem = () => {},
  path: string = MEMORY_ARCHIVE_PATH,
): Promise<ReadonlyMap<string, ArchivedEntry>> => {
  const found = new Map<string, ArchivedEntry>()
  let sincePause = 0
  for (const line of archiveLines(decodeArchive(bytes))) {
    takeLine(found, line, onProblem, path)
    sincePause += line.text.length
    if (sincePause < SLICE_CHARS) continue
    sincePause = 0
    await pause()
  }
  return found
}

/** The origin with which a text has last left a store. Most texts never have, which is found out without reading a line. `archive`: decoded. */
export const formerOriginIn = (archive: string, text: string): EntryOrigin | undefined => {
  const quoted = JSON.stringify(text)
  // A line is read once, however often it holds the text.
  for (let at = archive.lastIndexOf(quoted); at >= 0; ) {
    const start = archive.lastIndexOf('\n', at) + 1
    const end = archive.indexOf('\n', at)
    const lines = [...archiveLines(archive.slice(start, end < 0 ? undefined : end))]
    const last = lines.map((line) => parseArchived(line.text)).findLast((entry) => entry?.text === text)
    if (last) return last.origin
    at = start === 0 ? -1 : archive.lastIndexOf(quoted, start - 1)
  }
  return undefined
}

/** Those of a store, without texts that are in it again. In no order. */
export const archivedOf = (
  archive: ReadonlyMap<string, ArchivedEntry>,
  target: MemoryTarget,
  standing: readonly string[],
): readonly ArchivedEntry[] => {
  const stands = new Set(standing.map(foldWhiteSpace))
  return [...archive.values()].filter((entry) => entry.target === target && !stands.has(foldWhiteSpace(entry.text)))
}

/** `not_found` for an unknown id and for an entry whose text was not stored. */
export const findArchived = (archive: ReadonlyMap<string, ArchivedEntry>, id: string): Result<ArchivedEntry> => {
  const entry = archive.get(id)
  if (!entry) {
    const message = `The archive holds no entry '${String(id).slice(0, 80)}'. List what is archived to see the ids.`
    return err(new HermesError('not_found', message))
  }
  if (!entry.redacted) return ok(entry)
  const message = `The text of '${id}' looked like a secret, so it was not kept and cannot come back. Keep secrets in a password manager.`
  return err(new HermesError('not_found', message))
}
