/** What a reader of the journal asks for, as a quick test of the raw line and an exact one of the record. Pure. */
import type { JournalRecord } from './journal-record.ts'
import { textsOfRecord } from './record-texts.ts'

export interface JournalFilter {
  readonly sessionId?: string
  readonly verdict?: JournalRecord['verdict']
  /** Whole, or the beginning of it. */
  readonly id?: string
  /** Only records of which a text holds this one, whatever the case: what was proposed, what was there before, the name of a skill. */
  readonly text?: string
  /** Only records that say what calls of a model cost: the ledger. */
  readonly withCost?: boolean
  /** Maximum number of records, the newest. */
  readonly limit?: number
  /** Epoch milliseconds, included. */
  readonly since?: number
}

export interface LineFilter {
  /** False only where `matches` would be false for the record of this line. */
  readonly mayMatch: (line: string) => boolean
  readonly matches: (record: JournalRecord) => boolean
}

/** A text as it stands inside a JSON string. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

export const toLineFilter = ({ sessionId, verdict, id, text, withCost = false, since }: JournalFilter): LineFilter => {
  const parts = [...[sessionId, verdict].filter((value) => value !== undefined).map((value) => `"${escaped(value)}"`)]
  if (id !== undefined) parts.push(`"${escaped(id)}`)
  if (withCost) parts.push('"cost":')
  const asked = text?.toLowerCase()
  const askedPart = asked === undefined ? '' : escaped(asked)
  return {
    mayMatch: (line) => parts.every((part) => line.includes(part)) && (askedPart === '' || line.toLowerCase().includes(askedPart)),
    matches: (record) =>
      (sessionId === undefined || record.sessionId === sessionId) &&
      (verdict === undefined || record.verdict === verdict) &&
      (id === undefined || record.id.startsWith(id)) &&
      (!withCost || record.cost !== undefined) &&
      (since === undefined || record.at >= since) &&
      (asked === undefined || textsOfRecord(record).some((words) => words.toLowerCase().includes(asked))),
  }
}
