/**
 * Splits a user's message into the user's own words and text from outside. Whose a part is depends on structure, never on its words (DESIGN 5); the
 * structures are in quoted/.
 */
import { chat } from './quoted/chat.ts'
import { attribution, forwarding, mailHeaders } from './quoted/mail.ts'
import {
  barredLines,
  blankOut,
  fencesIn,
  hiddenLines,
  indentedBlocks,
  type Line,
  linesOf,
  type Mark,
  markedRange,
  quotedLines,
  type Range,
  tagsIn,
} from './quoted/marks.ts'
import { longQuotations } from './quoted/quotations.ts'
import type { TurnMessage } from './turn-message.ts'

interface MessagePart {
  readonly text: string
  /** True if it is not the user's own words. */
  readonly outside: boolean
}

type ByName<T> = Readonly<Record<string, T>>

/** What copied text is recognised by. */
export interface Structures {
  /** Lines of a quote, which hold no other structure. */
  readonly quotes: ByName<(text: string) => readonly Range[]>
  /** Begin and end of quoted text; from the first to the last all is outside. */
  readonly marks: ByName<(text: string) => readonly Mark[]>
  /** Where copied mail or chat begins, which extends to the end of the message. */
  readonly starts: ByName<(lines: readonly Line[]) => number | undefined>
  readonly ranges: ByName<(text: string, lines: readonly Line[]) => readonly Range[]>
}

export const STRUCTURES: Structures = {
  quotes: { 'quote marks': quotedLines },
  marks: { fences: fencesIn, tags: tagsIn },
  starts: { 'mail headers': mailHeaders, attribution, 'forwarding line': forwarding, chat },
  ranges: { 'invisible characters': hiddenLines, quotations: longQuotations, bars: barredLines, indented: indentedBlocks },
}

/** A mail between the first two marks belongs to the fenced text; anywhere else it extends to the end. */
const linesOutside = (lines: readonly Line[], [first, second]: readonly Mark[]): readonly Line[] =>
  first && second ? lines.filter(({ start }) => start < first.start || start > second.start) : lines

/** Nobody types more than this: what stands behind it is copied, and would take long to read. UTF-16 units. */
const MOST_CHARS = 100_000

/** The parts in order, without blank ones. A message without such structure is one unchanged part. */
export const splitOwnWords = (text: string, structures = STRUCTURES): readonly MessagePart[] => {
  if (text.length <= MOST_CHARS) return split(text, structures)
  const end = (text.codePointAt(MOST_CHARS - 1) ?? 0) > 0xffff ? MOST_CHARS - 1 : MOST_CHARS
  return [...split(text.slice(0, end), structures), { text: text.slice(end), outside: true }]
}

const split = (text: string, structures: Structures): readonly MessagePart[] => {
  const quotes = Object.values(structures.quotes).flatMap((find) => find(text))
  const plain = blankOut(text, quotes)
  const lines = linesOf(plain)
  const marks = Object.values(structures.marks)
    .flatMap((find) => find(plain))
    .sort((a, b) => a.start - b.start)
  const open = linesOutside(lines, marks)
  const rest = Math.min(text.length, ...Object.values(structures.starts).map((find) => find(open) ?? text.length))
  const found = Object.values(structures.ranges).flatMap((find) => find(plain, lines))
  const ranges = [...quotes, ...found, markedRange(marks, text.length), { start: rest, end: text.length }].filter(
    ({ start, end }) => end > start,
  )
  return ranges.length === 0 ? [{ text, outside: false }] : partsOf(text, ranges)
}

const partsOf = (text: string, ranges: readonly Range[]): readonly MessagePart[] => {
  const parts: { text: string; outside: boolean }[] = []
  const put = (start: number, end: number, outside: boolean) => {
    const part = text.slice(start, end).trim()
    if (part === '') return
    const last = parts.at(-1)
    if (last?.outside === outside) last.text = `${last.text}\n${part}`
    else parts.push({ text: part, outside })
  }
  let done = 0
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    put(done, start, false)
    if (end > done) put(Math.max(done, start), end, true)
    done = Math.max(done, end)
  }
  put(done, text.length, false)
  return parts
}

/** Splits a user message into parts that are either the user's own words or text from outside. Other messages are returned unchanged. */
export const splitUserMessage = (message: TurnMessage): readonly TurnMessage[] => {
  if (message.role !== 'user' || message.outside === true) return [message]
  return splitOwnWords(message.text).map(({ text, outside }) => ({ ...message, text, ...(outside ? { outside } : {}) }))
}
