/**
 * Finds records in the days of the journal, newest first, up to the requested number. A day is read from its end in blocks of lines; one in which no line can
 * match is not taken apart. A broken line affects only itself.
 */

import { HermesError } from '../shared/hermes-error.ts'
import { parseJson } from '../shared/json-texts.ts'
import { pause } from '../shared/pause.ts'
import { ok, type Result } from '../shared/result.ts'
import type { Cut, StorageBackend } from '../storage/storage-backend.ts'
import type { JournalDay } from './journal-days.ts'
import { type JournalRecord, journalRecordSchema } from './journal-record.ts'
import { isUsualRecord } from './usual-record.ts'

// The filter: a quick test of raw lines and an exact test of a record. Pure.

const KEYS = ['content', 'oldText', 'newText', 'name', 'category', 'filePath', 'absorbedInto'] as const

/** The searchable texts of a record: what was proposed or written, what was there before, and names. */
const textsOfRecord = ({ op, previous = [], evicted = [], raw, upkeep, python }: JournalRecord): readonly string[] => {
  const own = op ? KEYS.map((key): unknown => Reflect.get(op, key)).filter((text) => typeof text === 'string') : []
  const gone = evicted.map(({ text }) => text)
  return [
    ...own,
    ...previous,
    ...gone,
    ...[raw, upkeep?.subject, upkeep?.before, upkeep?.after, python?.skill].filter((text) => text !== undefined),
  ]
}

export interface JournalFilter {
  readonly sessionId?: string
  readonly kind?: JournalRecord['kind']
  /** Of the review, or of the act that several reviews are a part of. */
  readonly review?: string
  /** The id, whole or its beginning: of the record, of the held proposal that it is about, or of a record that it takes back. */
  readonly id?: string
  /** Only records with a text that contains this one, ignoring case: proposed text, former text, or the name of a skill. */
  readonly text?: string
  /** Also the changes to skills that Python Hermes recorded in its ledger. Default false. */
  readonly python?: boolean
  /** Only records with the cost of model calls. */
  readonly withCost?: boolean
  /** Maximum number of records, newest first. */
  readonly limit?: number
  /** Epoch milliseconds, inclusive. */
  readonly since?: number
  /** Epoch milliseconds, inclusive. */
  readonly until?: number
}

interface LineFilter {
  /** Of one line, or of several at once: false only if `matches` would be false for each of their records. */
  readonly mayMatch: (lines: string) => boolean
  readonly matches: (record: JournalRecord) => boolean
}

const MAX_PATTERN_CHARS = 1_000

/** A text as it appears inside a JSON string. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * Finds whatever contains `query`, which is in lower case, in any case; it may find more. Much quicker than a copy in lower case if the text is not all Latin.
 * `İ` is the one letter that is `i` and a dot in lower case, and not if its case is ignored.
 */
const toPattern = (query: string): RegExp =>
  new RegExp(
    escaped(query)
      .replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
      .replace(/i?\u0307|i$/g, '(?:$&|\u0130)'),
    'iu',
  )

export const toLineFilter = ({ sessionId, kind, review, id, text, withCost = false, since, until }: JournalFilter): LineFilter => {
  const parts = [sessionId, kind, review].filter((value) => value !== undefined).map((value) => `"${escaped(value)}"`)
  if (id !== undefined) parts.push(`"${escaped(id)}`)
  if (withCost) parts.push('"cost":')
  const query = text?.toLowerCase()
  // A regular expression of a long text is slow, or refused.
  const pattern = toPattern((query ?? '').slice(0, MAX_PATTERN_CHARS).replace(/[\ud800-\udbff]$/, ''))
  return {
    mayMatch: (lines) => parts.every((part) => lines.includes(part)) && pattern.test(lines),
    matches: (record) =>
      (sessionId === undefined || record.sessionId === sessionId) &&
      (kind === undefined || record.kind === kind) &&
      (review === undefined || record.review === review) &&
      (id === undefined || [record.id, record.pendingId, ...(record.undoes ?? [])].some((each) => each?.startsWith(id))) &&
      (!withCost || record.cost !== undefined) &&
      (since === undefined || record.at >= since) &&
      (until === undefined || record.at <= until) &&
      (query === undefined || textsOfRecord(record).some((words) => words.toLowerCase().includes(query))),
  }
}

// The search.

export interface Scan extends LineFilter {
  /** Undefined for a line that is not a record. Default: the records of the journal. */
  readonly parse?: (line: string) => JournalRecord | undefined
  /** So much of the end of each document is read. Default: all of it. */
  readonly mostBytes?: number
  /** Maximum number of records. */
  readonly limit: number
  /** Called for each line and each document that cannot be read. */
  readonly onProblem: (problem: HermesError) => void
}

const LINE_FEED = 0x0a
/** Larger strings are not kept among the short-lived ones, which makes a search ten times slower. */
const BLOCK_BYTES = 32_768
/** Of the days that are read in one call. */
const BYTES_AT_ONCE = 4_194_304
/** Bytes that are skipped before other work can run; a byte that is taken apart counts as eight. */
const BYTES_BETWEEN_PAUSES = 2_097_152
const COST_OF_READING = 8
/** Characters. A longer line was not written by the library, and taking it apart would hold up other work. */
const MAX_LINE_CHARS = 4_194_304

/** Undefined for a line that is not a journal record. */
const parseRecord = (line: string): JournalRecord | undefined => {
  const data = line.length > MAX_LINE_CHARS ? undefined : parseJson(line)
  if (isUsualRecord(data)) return data
  const parsed = journalRecordSchema.safeParse(data)
  return parsed.success ? parsed.data : undefined
}

/**
 * What something else left without the end of its line runs into the record that was appended next, which begins here: none of the texts in a line holds these
 * characters unescaped.
 */
const RECORD_START = /(?=\{"id": ?")/

const brokenLine = (path: string, line: number): HermesError => {
  const message = `Line ${line} of '${path}' is not a journal record and was skipped. The other records are intact.`
  return new HermesError('unreadable', message, { details: { path, line } })
}

const onlyNewest = (path: string, bytes: number): HermesError => {
  const message = `'${path}' is larger than ${bytes / 1_048_576} MiB, so only its newest records are read.`
  return new HermesError('over_limit', message, { details: { path } })
}

const countLines = (bytes: Uint8Array, start: number, end: number): number => {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED, start); at >= 0 && at < end; at = bytes.indexOf(LINE_FEED, at + 1)) count++
  return count
}

/** Counts the lines before a place; each further call asks for an earlier place, and only the lines between the two are counted. */
const lineCounter = (bytes: Uint8Array): ((place: number) => number) => {
  let at = 0
  let lines = 0
  return (place) => {
    lines = place < at ? lines - countLines(bytes, place, at) : countLines(bytes, 0, place)
    at = place
    return lines
  }
}

class DayReader {
  readonly found: JournalRecord[] = []
  readonly #scan: Scan
  readonly #decoder = new TextDecoder()
  #spent = 0

  constructor(scan: Scan) {
    this.#scan = scan
  }

  get isFull(): boolean {
    return this.found.length >= this.#scan.limit
  }

  async read(path: string, bytes: Uint8Array): Promise<void> {
    const linesBefore = lineCounter(bytes)
    const { mostBytes = bytes.length, onProblem } = this.#scan
    const oldest = bytes.length - Math.min(mostBytes, bytes.length)
    if (oldest > 0) onProblem(onlyNewest(path, mostBytes))
    for (let end = bytes.length; end > oldest && !this.isFull; ) {
      const start = end <= BLOCK_BYTES ? 0 : bytes.lastIndexOf(LINE_FEED, end - BLOCK_BYTES) + 1
      const text = this.#decoder.decode(bytes.subarray(start, end))
      const mayMatch = this.#scan.mayMatch(text)
      if (mayMatch) await this.#readLines(text.split('\n'), (index) => brokenLine(path, linesBefore(start) + index + 1))
      await this.#takeTurn((end - start) * (mayMatch ? COST_OF_READING : 1))
      end = start
    }
  }

  /** Other work runs after so much. */
  async #takeTurn(spent: number): Promise<void> {
    this.#spent += spent
    if (this.#spent < BYTES_BETWEEN_PAUSES) return
    this.#spent = 0
    await pause()
  }

  async #readLines(lines: readonly string[], problemAt: (index: number) => HermesError): Promise<void> {
    const { mayMatch, matches, onProblem, parse = parseRecord } = this.#scan
    for (let index = lines.length - 1; index >= 0 && !this.isFull; index--) {
      const line = lines[index] ?? ''
      if (line.trim() === '' || !mayMatch(line)) continue
      const whole = parse(line)
      const records = whole ? [whole] : await this.#recordsIn(line, parse)
      if (records.includes(undefined)) onProblem(problemAt(index))
      for (const record of records) if (record && !this.isFull && matches(record)) this.found.push(record)
    }
  }

  /** Those of a line that is not one record, newest first. */
  async #recordsIn(line: string, parse: typeof parseRecord): Promise<readonly ReturnType<typeof parseRecord>[]> {
    const records: ReturnType<typeof parseRecord>[] = []
    for (const piece of line.length > MAX_LINE_CHARS ? [''] : line.split(RECORD_START).reverse()) {
      records.push(parse(piece))
      await this.#takeTurn(piece.length * COST_OF_READING)
    }
    return records
  }
}

const bytesIn = (cut: Cut, path: string, { onProblem }: Scan): Uint8Array => {
  try {
    return cut.document(path)?.bytes ?? new Uint8Array()
  } catch (error) {
    if (!HermesError.isInstance(error)) throw error
    onProblem(error)
    return new Uint8Array()
  }
}

/** The next days to read at once: at most `most`, and of more than one at most 4 MiB. */
const nextDays = (days: readonly JournalDay[], from: number, most: number): readonly string[] => {
  const paths: string[] = []
  for (let bytes = 0; paths.length < most; ) {
    const day = days[from + paths.length]
    bytes += day?.size ?? 0
    if (!day || (paths.length > 0 && bytes > BYTES_AT_ONCE)) break
    paths.push(day.path)
  }
  return paths
}

/** `days`: newest first, as the records are. For a document that cannot be read only its own records are missing. */
export const findRecords = async (
  storage: StorageBackend,
  days: readonly JournalDay[],
  scan: Scan,
): Promise<Result<readonly JournalRecord[]>> => {
  const reader = new DayReader(scan)
  // Twice as many days each time: whoever asks for a few records reads a few days, and a search makes few calls.
  for (let next = 0, most = 1; next < days.length && !reader.isFull; most *= 2) {
    const paths = nextDays(days, next, most)
    next += paths.length
    const cut = await storage.read(paths)
    if (!cut.ok) return cut
    for (const path of paths) await reader.read(path, bytesIn(cut.value, path, scan))
  }
  return ok(reader.found)
}
