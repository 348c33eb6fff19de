/** Journal documents as lines and records; a broken line affects only itself. */

import { HermesError } from '../shared/hermes-error.ts'
import { parseJson } from '../shared/json-texts.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { type JournalRecord, journalRecordSchema } from './journal-record.ts'

/** A line with its position. */
export interface JournalLine {
  readonly text: string
  readonly path: string
  /** From 1; counted only on demand. */
  readonly lineNumber: () => number
}

/** Undefined for a line that is not a journal record. */
export const parseRecord = (line: string): JournalRecord | undefined => {
  const parsed = journalRecordSchema.safeParse(parseJson(line))
  return parsed.success ? parsed.data : undefined
}

/** Epoch milliseconds of a record; undefined for a line without a time. */
export const timeOfLine = (line: string): number | undefined => {
  const parsed = parseJson(line)
  const at: unknown = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, 'at') : undefined
  return typeof at === 'number' ? at : undefined
}

export const encodeJournal = (records: readonly JournalRecord[]): Uint8Array => encodeLines(records.map((record) => JSON.stringify(record)))

export const encodeLines = (lines: readonly string[]): Uint8Array => new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))

const isBlank = (line: string): boolean => line.trim() === ''

/** Without blank lines. `unreadable` if the bytes are not UTF-8, so that a rewrite does not change them. */
export const decodeLines = (path: string, bytes: Uint8Array): Result<readonly string[]> => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return ok(text.split('\n').filter((line) => !isBlank(line)))
  } catch (cause) {
    const message = `'${path}' is not UTF-8, so it is left as it is. Repair it, or move it away.`
    return err(new HermesError('unreadable', message, { cause, details: { path } }))
  }
}

/** From the first line to the last, without blank lines. */
export const linesOf = (path: string, bytes: Uint8Array): readonly JournalLine[] =>
  new TextDecoder()
    .decode(bytes)
    .split('\n')
    .map((text, index) => ({ text, path, lineNumber: () => index + 1 }))
    .filter(({ text }) => !isBlank(text))

/** From the last line to the first, without blank lines; splits lazily. */
export function* linesBackwards(path: string, bytes: Uint8Array): Generator<JournalLine> {
  const text = new TextDecoder().decode(bytes)
  for (let end = text.length; end > 0; ) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    const line = text.slice(start, end)
    if (!isBlank(line)) yield { text: line, path, lineNumber: () => text.slice(0, start).split('\n').length }
    end = start - 1
  }
}

/** The problem reported for a line that is not a journal record. */
export const brokenLine = ({ path, lineNumber }: JournalLine): HermesError => {
  const line = lineNumber()
  const message = `Line ${line} of '${path}' is not a journal record and was skipped. The other records are intact.`
  return new HermesError('unreadable', message, { details: { path, line } })
}

// Merging the lines of a day document with those of appends: ordered by time, without repeated lines.

interface Timed<Line> {
  readonly line: Line
  readonly at: number
}

/** A line without a time stays after the line before it. */
const timed = <Line>(lines: readonly Line[], textOf: (line: Line) => string): readonly Timed<Line>[] => {
  let last = Number.NEGATIVE_INFINITY
  return lines.map((line) => {
    last = Math.max(last, timeOfLine(textOf(line)) ?? last)
    return { line, at: last }
  })
}

/**
 * Each list is in its own order. An added line that is already in `current` is dropped: a process killed after writing the day document
 * and before removing the appends leaves both.
 */
export const mergeLines = <Line>(current: readonly Line[], added: readonly Line[], textOf: (line: Line) => string): readonly Line[] => {
  const known = new Set(current.map(textOf))
  const fresh = added.filter((line) => !known.has(textOf(line)))
  if (fresh.length === 0) return current
  if (current.length === 0) return fresh
  const merged: Line[] = []
  const rest = [...timed(fresh, textOf)]
  let next = 0
  for (const { line, at } of timed(current, textOf)) {
    for (let other = rest[next]; other && other.at < at; other = rest[next]) {
      merged.push(other.line)
      next += 1
    }
    merged.push(line)
  }
  return [...merged, ...rest.slice(next).map(({ line }) => line)]
}
