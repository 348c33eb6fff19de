/** Merges the journal of an export into the journal of the home. */
import { encodeRecords } from '../journal/journal.ts'
import { dayOf, dayOfDocument } from '../journal/journal-days.ts'
import { type JournalRecord, journalRecordSchema } from '../journal/journal-record.ts'
import { isMemoryTarget } from '../memory/memory-op.ts'
import { parseBoundedJson } from '../shared/bounded-json.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { jsonLines } from '../shared/json-lines.ts'
import { mapTexts, textsIn } from '../shared/json-texts.ts'
import { pause } from '../shared/pause.ts'
import { redactSecrets } from '../threats/credentials/redact-credentials.ts'
import { isTime } from './export-manifest.ts'
import { type Import, invalidImport, must } from './import-context.ts'

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

const parse = (line: Uint8Array, day: string): JournalRecord => {
  const data = parseBoundedJson(line, LINE_LIMITS)
  if (!data.ok) throw invalidImport(`It ${data.error.message}.`)
  const parsed = journalRecordSchema.safeParse(data.value)
  if (!parsed.success || !ID.test(parsed.data.id)) throw invalidImport('It is not a journal record.')
  const { at } = parsed.data
  if (!isTime(at) || dayOf(at) !== day) throw invalidImport('It belongs to another day.')
  return parsed.data
}

/** A journal also records refused attacks: such a record is imported without the text of the attack. */
const withholdThreats = async (running: Import, name: string, record: JournalRecord): Promise<JournalRecord> => {
  const scope = isMemoryTarget(record.target) ? 'strict' : 'context'
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
    await running.item('journal', name, async () => {
      const record = parse(line, day)
      if (known.ids.has(record.id)) return tally.alreadyThere('journal')
      known.ids.add(record.id)
      records.push(await withholdThreats(running, name, record))
    })
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

/** Epoch milliseconds of a line of the journal; undefined for one without a time. */
const timeOfLine = (line: string): number | undefined => {
  const at = /"at":(\d+)/.exec(line)?.[1]
  return at === undefined ? undefined : Number(at)
}

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

/** Each record is added once, by its id, to the document of its day. */
export const importJournal = async (running: Import): Promise<void> => {
  const { over, contents, tally } = running
  for (const [path, { bytes }] of contents) {
    const day = dayOfDocument(path)
    if (day === undefined) continue
    await running.item('journal', path, async () => {
      const at = Date.parse(`${day}T00:00:00Z`)
      if (Number.isNaN(at) || dayOf(at) !== day) throw invalidImport('There is no such day.')
      const records = await readDay(running, day, bytes)
      if (records.length === 0) return
      const added = await over.update([path], (cut) => {
        const current = cut.document(path)
        if (!current) return { append: { [path]: encodeRecords(records) }, value: records.length }
        const merged = mergeDay(decodeDay(path, current.bytes), records)
        return { put: merged.added === 0 ? {} : { [path]: new TextEncoder().encode(merged.text) }, value: merged.added }
      })
      tally.added('journal', must(added))
    })
  }
}
