/** The filter of a journal reader: a quick test of the raw line and an exact test of the record. Pure. */
import type { JournalRecord } from './journal-record.ts'

const KEYS = ['content', 'oldText', 'newText', 'name', 'category', 'filePath', 'absorbedInto'] as const

/** The searchable texts of a record: what was proposed or written, what was there before, and names. */
export const textsOfRecord = ({ op, previous = [], evicted = [], raw, upkeep }: JournalRecord): readonly string[] => {
  const own = op ? KEYS.map((key): unknown => Reflect.get(op, key)).filter((text) => typeof text === 'string') : []
  const gone = evicted.map(({ text }) => text)
  return [...own, ...previous, ...gone, ...[raw, upkeep?.subject, upkeep?.before, upkeep?.after].filter((text) => text !== undefined)]
}

export interface JournalFilter {
  readonly sessionId?: string
  readonly verdict?: JournalRecord['verdict']
  /** The id, whole or its beginning: of the record, or of the held proposal that it is about. */
  readonly id?: string
  /** Only records with a text that contains this one, ignoring case: proposed text, former text, or the name of a skill. */
  readonly text?: string
  /** Only records with the cost of model calls. */
  readonly withCost?: boolean
  /** Maximum number of records, newest first. */
  readonly limit?: number
  /** Epoch milliseconds, inclusive. */
  readonly since?: number
  /** Epoch milliseconds, inclusive. */
  readonly until?: number
}

export interface LineFilter {
  /** False only if `matches` would be false for the record of this line. */
  readonly mayMatch: (line: string) => boolean
  readonly matches: (record: JournalRecord) => boolean
}

/** A text as it appears inside a JSON string. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

export const toLineFilter = ({ sessionId, verdict, id, text, withCost = false, since, until }: JournalFilter): LineFilter => {
  const parts = [...[sessionId, verdict].filter((value) => value !== undefined).map((value) => `"${escaped(value)}"`)]
  if (id !== undefined) parts.push(`"${escaped(id)}`)
  if (withCost) parts.push('"cost":')
  const query = text?.toLowerCase()
  const escapedQuery = query === undefined ? '' : escaped(query)
  return {
    mayMatch: (line) => parts.every((part) => line.includes(part)) && (escapedQuery === '' || line.toLowerCase().includes(escapedQuery)),
    matches: (record) =>
      (sessionId === undefined || record.sessionId === sessionId) &&
      (verdict === undefined || record.verdict === verdict) &&
      (id === undefined || record.id.startsWith(id) || record.pendingId?.startsWith(id) === true) &&
      (!withCost || record.cost !== undefined) &&
      (since === undefined || record.at >= since) &&
      (until === undefined || record.at <= until) &&
      (query === undefined || textsOfRecord(record).some((words) => words.toLowerCase().includes(query))),
  }
}
