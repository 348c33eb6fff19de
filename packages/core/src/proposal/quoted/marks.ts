/** Quoted parts that a mark shows: fences, tags, quote marks, bars, indented blocks, and lines with characters that nobody types. */
import { lazyPattern } from '../../shared/lazy-pattern.ts'
import { holdsInvisible } from '../../threats/invisible.ts'

/** A part of a text, by its offsets. */
export interface Range {
  readonly start: number
  readonly end: number
}

export interface Line extends Range {
  /** The beginning of the line, at most `READ_CHARS` long and without blanks at its end, so that any number of expressions read it in limited time. */
  readonly text: string
}

const READ_CHARS = 400

const rareBreak = /[\r\v\f\u0085\u2028\u2029]/g

/** Split at every kind of line break; the ends do not include it. Of blank lines in sequence there is the first alone. */
export const linesOf = (text: string): readonly Line[] => {
  const plain = text.replaceAll('\r\n', ' \n').replace(rareBreak, '\n')
  const lines: Line[] = []
  let wasBlank = false
  for (let start = 0; start <= plain.length; ) {
    const found = plain.indexOf('\n', start)
    const end = found < 0 ? plain.length : found
    const text = end === start ? '' : plain.slice(start, Math.min(end, start + READ_CHARS)).trimEnd()
    if (text !== '' || !wasBlank) lines.push({ start, end, text })
    wasBlank = text === ''
    start = end + 1
  }
  return lines
}

// Code fences, triple quotes, what a host fenced with `fenceContext`, and tags that hold a document.

/** Begin and end of text from outside. Tildes count only at the start of a line, since chats use them inside lines. */
const fence = /`{3,}|(?<=^[ \t]{0,3})~{3,}|"{3,}|'{3,}|<\s{0,8}\/?\s{0,8}memory-context\b[^<>]{0,200}>/gim

export interface Mark extends Range {
  /** Its first character: marks of one kind close each other. */
  readonly kind: string
}

export const fencesIn = (text: string): readonly Mark[] =>
  [...text.matchAll(fence)].map(({ index, 0: found }) => ({ start: index, end: index + found.length, kind: found.charAt(0) }))

/**
 * From the first mark to the last, whatever is between them: quoted text may contain marks of its own, and none of these may turn what follows into the
 * user's words. A last mark without an earlier one of its kind is unclosed, so its text extends to the end.
 */
export const markedRange = (marks: readonly Mark[], length: number): Range => {
  const [first, last] = [marks[0], marks.at(-1)]
  if (!first || !last) return { start: length, end: length }
  const isClosed = marks.slice(0, -1).some(({ kind }) => kind === last.kind)
  return { start: first.start, end: isClosed ? last.end : length }
}

// Pairs of tags whose name says that they hold a text: `<blockquote>`, `<document>`, `<email>` and the like.

const NAMES =
  'blockquote|quote|cite|documents?|document_?contents?|doc|article|e-?mails?|mail|message|messages|thread|chat|conversation|transcript|page|web_?page|web_?site|website_?content|attachment|file|file_?contents?|pasted(?:_?text)?|excerpt|passage|review|comment|tweet|post|source|search_?results?|results?|tool_?results?|untrusted(?:_?\\w{1,12})?|external(?:_?\\w{1,12})?|html|body'

const tag = new RegExp(`<(/?)(?:${NAMES})(?:\\s[^<>\\n]{0,200})?>`, 'gi')
const anyTag = /<[^<>\n]{0,220}>/g

const beginsText = /(?:^|[\n:：])[ \t]{0,20}$/
/** Behind a line break or a colon; within a line, tags are also named. */
const MIN_CHARS = 12
const MIN_CHARS_INSIDE = 80

const READ_OF_TAGS = 1_000

/** All such tags, from the first that is opened to the last that is closed; none if no text is between them. */
export const tagsIn = (text: string): readonly Mark[] => {
  if (!text.includes('</')) return []
  const marks = [...text.matchAll(tag)].map(({ index, 0: found, 1: slash }) => ({
    start: index,
    end: index + found.length,
    kind: 'tags',
    closes: slash === '/',
  }))
  const first = marks.findIndex(({ closes }) => !closes)
  const last = marks.findLastIndex(({ closes }) => closes)
  const [opened, closed] = [marks[first], marks[last]]
  if (!opened || !closed || closed.start < opened.end) return []
  const content = text
    .slice(opened.end, Math.min(closed.start, opened.end + READ_OF_TAGS))
    .replace(anyTag, '')
    .trim()
  const begins = beginsText.test(text.slice(Math.max(0, opened.start - 21), opened.start))
  return content.length < (begins ? MIN_CHARS : MIN_CHARS_INSIDE) ? [] : marks.slice(first, last + 1)
}

// Lines that begin with a quote mark.

/** Up to the line feed; a quote after another kind of line break extends to the end of that line. */
const quotedLine = /(?:^|(?<=[\r\v\f\u0085\u2028\u2029]))[ \t]{0,20}(?:[>＞﹥]|&gt;)[^\n]*/gm

export const quotedLines = (text: string): readonly Range[] => {
  const ranges: { start: number; end: number }[] = []
  for (const { index, 0: line } of text.matchAll(quotedLine)) {
    const last = ranges.at(-1)
    const end = index + line.length
    if (last?.end === index - 1) last.end = end
    else ranges.push({ start: index, end })
  }
  return ranges
}

/** The text with these ranges replaced by spaces of the same length, so that nothing in them counts as a mark. */
export const blankOut = (text: string, ranges: readonly Range[]): string => {
  if (ranges.length === 0) return text
  let done = 0
  const kept = ranges.map(({ start, end }) => {
    const part = text.slice(done, start) + ' '.repeat(end - start)
    done = end
    return part
  })
  return kept.join('') + text.slice(done)
}

/** One bar: the rows of a table have more, the lines of a tree also branches. */
const barred = /^[ \t]{0,4}[|│┃](?:[ \t][^|│┃├└]*|[^\s|│┃├└+─-][^|│┃├└]*)?$/

/** Two or more lines in sequence that a bar precedes. */
export const barredLines = (_: string, lines: readonly Line[]): readonly Range[] => {
  const ranges: Range[] = []
  let first = -1
  for (let index = 0; index <= lines.length; index += 1) {
    if (barred.test(lines[index]?.text ?? '')) {
      if (first < 0) first = index
      continue
    }
    const [from, to] = [lines[first], lines[index - 1]]
    if (from && to && index - first > 1) ranges.push({ start: from.start, end: to.end })
    first = -1
  }
  return ranges
}

// Code blocks by indentation: behind a blank line, indented by four blanks or a tab, as in Markdown.

const indented = /^(?: {4}|[ ]{0,3}\t)/
const listItem = lazyPattern(String.raw`^\s{0,20}(?:[-*+•·–]|\d{1,4}[.)、]|\p{L}[.)])\s`, 'u')

/** Not what continues an item of a list, and not a message that is indented as a whole. */
export const indentedBlocks = (_: string, lines: readonly Line[]): readonly Range[] => {
  const ranges: Range[] = []
  /** The last line with text that is not indented. */
  let above: Line | undefined
  let isBehindBlank = false
  let block: { start: number; end: number } | undefined
  for (const line of lines) {
    if (line.text === '') {
      isBehindBlank = true
      continue
    }
    if (indented.test(line.text)) {
      if (block) block.end = line.end
      else if (isBehindBlank && above && !listItem.read().test(above.text)) {
        block = { start: line.start, end: line.end }
        ranges.push(block)
      }
    } else {
      above = line
      block = undefined
    }
    isBehindBlank = false
  }
  return ranges
}

// Lines with invisible characters, which are not typed but pasted.

const line = /[^\n]+/g

export const hiddenLines = (text: string): readonly Range[] =>
  holdsInvisible(text)
    ? [...text.matchAll(line)]
        .filter(([each]) => holdsInvisible(each))
        .map(({ index, 0: each }) => ({ start: index, end: index + each.length }))
    : []
