/** One journal document between bytes and records; a broken line costs itself alone. */
import { HermesError } from '../shared/hermes-error.ts'
import { type JournalRecord, journalRecordSchema } from './journal-record.ts'

export interface JournalLines {
  readonly records: readonly JournalRecord[]
  readonly problems: readonly HermesError[]
}

const parseLine = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

export const encodeJournal = (records: readonly JournalRecord[]): Uint8Array =>
  new TextEncoder().encode(records.map((record) => `${JSON.stringify(record)}\n`).join(''))

export const decodeJournal = (path: string, bytes: Uint8Array): JournalLines => {
  const records: JournalRecord[] = []
  const problems: HermesError[] = []
  for (const [index, line] of new TextDecoder().decode(bytes).split('\n').entries()) {
    if (line.trim() === '') continue
    const parsed = journalRecordSchema.safeParse(parseLine(line))
    if (parsed.success) records.push(parsed.data)
    else {
      const message = `Line ${index + 1} of '${path}' is not a journal record and was skipped. The other records are intact.`
      problems.push(new HermesError('unreadable', message, { details: { path, line: index + 1 } }))
    }
  }
  return { records, problems }
}
