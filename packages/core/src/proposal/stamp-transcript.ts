/** Assigns ids and origins to the messages of a conversation: the platform determines whose words they are, never the model (DESIGN 5). Pure. */
import { latePattern } from '../shared/late-pattern.ts'
import type { Origin } from '../shared/origin.ts'
import { findInvisible } from '../threats/invisible.ts'
import type { Transcript, TranscriptMessage } from './transcript.ts'
import type { TurnMessage } from './turn-message.ts'

/**
 * A part of a user message. Whose it is depends on structure, never on its words (DESIGN 5): code fences, block quotes, text between triple quotes, forwarded
 * mail, lines with invisible characters and text that a host fenced are from outside.
 */
interface MessagePart {
  readonly text: string
  /** True if it is not the user's own words. */
  readonly outside: boolean
}

interface Mark {
  readonly start: number
  readonly end: number
}

/** Begin and end of text from outside. Tildes count only at the start of a line, since chats use them inside lines. */
const mark = /(`{3,})|(?<=^[ \t]{0,3})(~{3,})|("{3,})|('{3,})|(<\s{0,8}\/?\s{0,8}memory-context\b[^<>]{0,200}>)/gim

const KINDS = ['backticks', 'tildes', 'double quotes', 'single quotes', 'host fence'] as const

/** Up to the line feed; a quote after another kind of line break extends to the end of that line. */
const quotedLine = /(?:^|(?<=[\r\v\f\u0085\u2028\u2029]))[ \t]{0,20}>[^\n]*/gm

/** Mail headers that name the sender, in the languages most used by mail programs. */
const SENDER = 'from|von|de|da|van|fra|från|od|от|发件人|寄件者|差出人|보낸 사람'
const OTHERS =
  'to|cc|bcc|date|sent|subject|reply-to|an|datum|gesendet|betreff|à|para|envoyé|objet|fecha|enviado|asunto|data|assunto|inviato|oggetto|aan|verzonden|onderwerp|кому|дата|тема|收件人|日期|主题|宛先|日時|件名|받는 사람|날짜|제목'
const headerLine = (names: string): string => `[ \\t]{0,3}[*_]{0,2}(?:${names})[*_]{0,2}[ \\t]?[:：][*_]{0,2}[ \\t][^\\n]*`
const anyHeader = headerLine(`${SENDER}|${OTHERS}`)

/** Start of a mail, which extends to the end of the message. */
const mailStart = latePattern(
  [
    '^[ \\t]{0,3}-{5,20}[ \\t]{0,3}\\p{L}',
    '^[ \\t]{0,3}begin forwarded message:',
    `^(?=[^\\n]{0,300}\\n(?:[^\\n]{0,300}\\n){0,5}?${headerLine(SENDER)}|${headerLine(SENDER)})${anyHeader}\\n${anyHeader}`,
  ].join('|'),
  'gimu',
)

interface Marks {
  readonly first: Mark | undefined
  readonly second: Mark | undefined
  readonly last: Mark | undefined
  /** An earlier mark is of the same kind as the last one. */
  readonly isClosed: boolean
}

const marksIn = (text: string): Marks => {
  const kinds = new Set<string>()
  let first: Mark | undefined
  let second: Mark | undefined
  let last: Mark | undefined
  let isClosed = false
  for (const match of text.matchAll(mark)) {
    const kind = KINDS[match.slice(1).findIndex((group) => group !== undefined)] ?? ''
    last = { start: match.index, end: match.index + match[0].length }
    if (first) second ??= last
    else first = last
    isClosed = kinds.has(kind)
    kinds.add(kind)
  }
  return { first, second, last, isClosed }
}

/**
 * From the first mark to the last, whatever is between them: quoted text may contain marks of its own, and none of these may turn what follows into the
 * user's words. A last mark without an earlier one of its kind is unclosed, so its text extends to the end.
 */
const markedRange = ({ first, last, isClosed }: Marks, length: number) =>
  first && last ? { start: first.start, end: isClosed ? last.end : length } : { start: length, end: length }

/** A header between the first two marks belongs to the fenced text; anywhere else it begins a mail. */
const startOfMail = (text: string, { first, second }: Marks): number => {
  for (const { index } of text.matchAll(mailStart.read())) {
    if (!first || !second || index < first.start || index > second.start) return index
  }
  return text.length
}

const line = /[^\n]+/g

/** Lines with invisible characters, which are not typed but pasted. */
const hiddenLines = (text: string): readonly Mark[] =>
  findInvisible(text).size === 0
    ? []
    : [...text.matchAll(line)]
        .filter(([each]) => findInvisible(each).size > 0)
        .map(({ index, 0: each }) => ({ start: index, end: index + each.length }))

/** The text with quoted lines replaced by spaces of the same length, so that nothing in them counts as a mark. */
const withoutQuotes = (text: string): string => text.replace(quotedLine, (line) => ' '.repeat(line.length))

/** The parts in order, without blank ones. A message without such structure is one unchanged part. */
export const splitOwnWords = (text: string): readonly MessagePart[] => {
  const plain = withoutQuotes(text)
  const marks = marksIn(plain)
  const mail = startOfMail(plain, marks)
  const marked = markedRange(marks, text.length)
  const quotes = [...text.matchAll(quotedLine)].map((match) => ({ start: match.index, end: match.index + match[0].length }))
  const ranges = [...quotes, ...hiddenLines(text), marked, { start: mail, end: text.length }].filter(({ start, end }) => end > start)
  if (ranges.length === 0) return [{ text, outside: false }]

  const parts: { text: string; outside: boolean }[] = []
  const put = (start: number, end: number, outside: boolean) => {
    const part = text.slice(start, end).trim()
    if (part === '') return
    const last = parts.at(-1)
    if (last?.outside === outside) last.text = `${last.text}\n${part}`
    else parts.push({ text: part, outside })
  }
  let done = 0
  for (const { start, end } of ranges.sort((a, b) => a.start - b.start)) {
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

export interface StampOptions {
  /** Text from outside was in sight before these messages. Default false. */
  readonly tainted?: boolean
}

const isTrustedResult = ({ trusted, toolNames = [] }: TurnMessage, trustedTools: ReadonlySet<string>): boolean =>
  trusted === true || (toolNames.length > 0 && toolNames.every((name) => trustedTools.has(name)))

/** After the first text from outside, the agent's words have the origin `tool`, since they may be based on it. */
export const stampTranscript = (
  messages: readonly TurnMessage[],
  trustedTools: ReadonlySet<string>,
  options: StampOptions = {},
): Transcript => {
  let tainted = options.tainted === true
  const originOf = (message: TurnMessage): Origin => {
    const isOwn = message.outside !== true
    if (isOwn && message.role === 'user') return 'user'
    if (isOwn && (message.role === 'assistant' || isTrustedResult(message, trustedTools))) return tainted ? 'tool' : 'assistant'
    tainted = true
    return 'tool'
  }
  return messages
    .flatMap(splitUserMessage)
    .map(
      (message, index): TranscriptMessage => ({ id: `m${index + 1}`, role: message.role, origin: originOf(message), text: message.text }),
    )
}

/** True if any message is from outside. */
export const holdsOutsideText = (transcript: Transcript): boolean => transcript.some(({ origin }) => origin === 'tool')

/** Stamps turns that need not be consecutive, each by what was in sight before it; ids are unique across all turns. */
export const stampTurns = (
  turns: readonly { readonly messages: readonly TurnMessage[]; readonly tainted?: boolean }[],
  trustedTools: ReadonlySet<string>,
): Transcript =>
  turns
    .flatMap(({ messages, tainted = false }) => stampTranscript(messages, trustedTools, { tainted }))
    .map((message, index) => ({ ...message, id: `m${index + 1}` }))
