/** The time of an export is that of its newest record, so that it depends on the data alone. */

import { pendingProposalSchema } from '../journal/pending-proposal.ts'
import { parseFacts } from '../memory/facts.ts'
import { readArchive } from '../memory/memory-archive.ts'
import { DOCUMENT_LIMITS, parseBoundedJson } from '../shared/bounded-json.ts'
import { pause } from '../shared/pause.ts'
import type { DocumentContent } from '../storage/storage-backend.ts'
import { FACTS_PATH, MEMORY_ARCHIVE_PATH } from '../storage/storage-paths.ts'
import { readStoredRecord } from '../usage/stored-record.ts'
import { decodeSidecar, USAGE_PATH } from '../usage/usage-sidecar.ts'
import { partOf } from './export-scope.ts'

const LINE_FEED = 0x0a

const BYTES_BETWEEN_PAUSES = 262_144

/** Overhead that is counted for each file, in bytes. */
const BYTES_PER_FILE = 2_048

/** The largest time of a `Date`, in epoch milliseconds. */
const LAST_TIME = 8.64e15

export const isTime = (at: number): boolean => Number.isFinite(at) && at >= 0 && at <= LAST_TIME

/** Epoch milliseconds of a line of the journal; undefined for one without a time. */
export const timeOfLine = (line: string): number | undefined => {
  const at = /"at":(\d+)/.exec(line)?.[1]
  return at === undefined ? undefined : Number(at)
}

const timesIn = (path: string, { bytes }: DocumentContent): readonly number[] => {
  if (path === USAGE_PATH) {
    const sidecar = decodeSidecar({ bytes })
    const records = sidecar.ok ? [...sidecar.value.values()].flatMap((stored) => readStoredRecord(stored) ?? []) : []
    return records.flatMap(({ lastActivityAt, createdAt, archivedAt, restoredAt }) => [lastActivityAt, createdAt, archivedAt, restoredAt])
  }
  if (partOf(path) === 'journal') {
    // Records are appended, so the last is the newest.
    const last = bytes.subarray(bytes.lastIndexOf(LINE_FEED, bytes.length - 2) + 1)
    return [timeOfLine(new TextDecoder().decode(last)) ?? 0]
  }
  if (path === FACTS_PATH) {
    const parsed = parseFacts(bytes)
    return parsed.ok
      ? Object.values(parsed.value.facts).flatMap((records) => [...records.values()].map((each) => each.lastConfirmedAt))
      : []
  }
  if (path === MEMORY_ARCHIVE_PATH) return [...readArchive(bytes).values()].map(({ forgottenAt }) => forgottenAt)
  if (!path.endsWith('.json')) return []
  const data = parseBoundedJson(bytes, DOCUMENT_LIMITS)
  if (!data.ok) return []
  const held = pendingProposalSchema.safeParse(data.value)
  return held.success ? [held.data.at] : []
}

/** Epoch milliseconds, 0 if no document has a time. */
export const newestRecordAt = async (contents: ReadonlyMap<string, DocumentContent>): Promise<number> => {
  let newest = 0
  let sincePause = 0
  for (const [path, content] of contents) {
    for (const at of timesIn(path, content)) if (isTime(at) && at > newest) newest = at
    sincePause += BYTES_PER_FILE + content.bytes.length
    if (sincePause < BYTES_BETWEEN_PAUSES) continue
    sincePause = 0
    await pause()
  }
  return Math.floor(newest)
}
