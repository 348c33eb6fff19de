/** Merges the journal of an export into the journal of the home. Each record is added once, by its id, to the document of its day. */
import { encodeRecords } from '../journal/journal.ts'
import { dayOf, dayOfDocument } from '../journal/journal-days.ts'
import { type JournalRecord, journalRecordSchema } from '../journal/journal-record.ts'
import { parseBoundedJson } from '../shared/bounded-json.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { jsonLines } from '../shared/json-lines.ts'
import { mapTexts, textsIn } from '../shared/json-texts.ts'
import { pause } from '../shared/pause.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { orError } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { redactSecrets } from '../threats/credentials/redact-credentials.ts'
import { isTime, timeOfLine } from './export-manifest.ts'
import { endsImport, type Import, invalidImport } from './import-context.ts'

const LINE_LIMITS = { maxBytes: 2_097_152, maxValues: 10_000 }

const LINE_FEED = 0x0a

const BYTES_BETWEEN_PAUSES = 65_536

/** Overhead that is counted for each line, in bytes. */
const BYTES_PER_LINE = 256

/** An id that is safe in a file name. */
const ID = /^[^\s/\\\p{Cc}]{1,200}$/u

const WITHHELD = '[withheld: the threat scan objects to it]'

/** Numbered from 1. */
function* splitLines(bytes: Uint8Array): Generator<{ readonly number: number; readonly line: Uint8Array }> {
  let number = 0
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, start)
    const end = found < 0 ? bytes.length : found
    number += 1
    yield { number, line: bytes.subarray(start, end) }
    start = end + 1
  }
}

const parse = (line: Uint8Array, day: string): Result<JournalRecord> => {
  const data = parseBoundedJson(line, LINE_LIMITS)
  if (!data.ok) return err(invalidImport(`It ${data.error.message}.`))
  const parsed = journalRecordSchema.safeParse(data.value)
  if (!parsed.success || !ID.test(parsed.data.id)) return err(invalidImport('It is not a journal record.'))
  const { at } = parsed.data
  return isTime(at) && dayOf(at) === day ? ok(parsed.data) : err(invalidImport('It belongs to another day.'))
}

/** A journal also records refused attacks: such a record is imported without the text of the attack. */
const withholdThreats = async (running: Import, name: string, record: JournalRecord): Promise<JournalRecord> => {
  const scope = record.target === 'memory' || record.target === 'user' ? 'strict' : 'context'
  const { id, ...words } = record
  const threats = new Map<string, HermesError>()
  for (const text of textsIn(words)) {
    const problem = await running.findThreat(text, scope)
    if (problem) threats.set(text, problem)
  }
  const [first] = threats.values()
  if (first)
    running.tally.refused('journal', name, {
      code: first.code,
      message: `${first.message} The record was imported without that text.`,
    })
  const clean = mapTexts(words, (text) => (threats.has(text) ? WITHHELD : text))
  return { id, ...redactSecrets(clean) }
}

/** Sorted by time, oldest first. */
const readDay = async (running: Import, day: string, bytes: Uint8Array): Promise<readonly JournalRecord[]> => {
  const { tally, known } = running
  const records: JournalRecord[] = []
  let sincePause = 0
  for (const { number, line } of splitLines(bytes)) {
    sincePause += line.length === 0 ? 1 : line.length + BYTES_PER_LINE
    if (sincePause >= BYTES_BETWEEN_PAUSES) {
      sincePause = 0
      await pause()
    }
    if (line.length === 0) continue
    const name = `line ${number} of ${day}`
    const parsed = parse(line, day)
    if (!parsed.ok) tally.refused('journal', name, parsed.error)
    else if (known.ids.has(parsed.value.id)) tally.alreadyThere('journal')
    else {
      known.ids.add(parsed.value.id)
      records.push(await withholdThreats(running, name, parsed.value))
    }
  }
  return records.sort((a, b) => a.at - b.at)
}

/** `unreadable` if the bytes are not UTF-8, so that a rewrite does not change them. */
const decodeDay = (path: string, bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    const message = `'${path}' is not UTF-8, so it is left as it is. Repair it, or move it away.`
    throw new HermesError('unreadable', message, { cause, details: { path } })
  }
}

/** The id as it is written in a line. */
const idOfLine = (line: string): string | undefined => /^\{"id":("(?:[^"\\]|\\.)*")/.exec(line)?.[1]

/** A line without a time stays behind the one before it. */
const byTime = (lines: readonly string[]): readonly { readonly line: string; readonly at: number }[] => {
  let last = 0
  return lines.map((line) => {
    last = Math.max(last, timeOfLine(line) ?? last)
    return { line, at: last }
  })
}

/** The union of a day and `records`, by id, in order of time. */
const mergeDay = (text: string, records: readonly JournalRecord[]): { readonly text: string; readonly added: number } => {
  const current = [...jsonLines(text, 'id')].map((line) => line.text)
  const known = new Set(current.map(idOfLine))
  const fresh = records.filter(({ id }) => !known.has(JSON.stringify(id))).map((record) => JSON.stringify(record))
  const merged = [...byTime(current), ...byTime(fresh)].sort((a, b) => a.at - b.at)
  return { text: merged.map(({ line }) => `${line}\n`).join(''), added: fresh.length }
}

/** Resolves to the number of records that were not there. */
const addRecords = (storage: StorageBackend, path: string, records: readonly JournalRecord[]): Promise<Result<number>> =>
  orError(() =>
    storage.update([path], (cut) => {
      const current = cut.document(path)
      if (!current) return { append: { [path]: encodeRecords(records) }, value: records.length }
      const { text, added } = mergeDay(decodeDay(path, current.bytes), records)
      return { put: added === 0 ? {} : { [path]: new TextEncoder().encode(text) }, value: added }
    }),
  )

const isDay = (day: string): boolean => {
  const at = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(at) && dayOf(at) === day
}

export const importJournal = async (running: Import): Promise<Result<void>> => {
  const { over, contents, tally } = running
  for (const [path, { bytes }] of contents) {
    const day = dayOfDocument(path)
    if (day === undefined) continue
    if (!isDay(day)) {
      tally.refused('journal', path, invalidImport('There is no such day.'))
      continue
    }
    const records = await readDay(running, day, bytes)
    if (records.length === 0) continue
    const written = await addRecords(over, path, records)
    if (!written.ok && endsImport(written.error)) return written
    if (written.ok) tally.added('journal', written.value)
    else tally.refused('journal', path, written.error)
  }
  return ok(undefined)
}
