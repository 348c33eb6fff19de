/** A text as lines and spans, and with some parts replaced for matching, with the way back to the original. Lines end at LF; a CR stays with its line. */

/** A part of a text: offsets in UTF-16 units, `end` exclusive. */
export interface PatchSpan {
  readonly start: number
  readonly end: number
}

export interface TextLines {
  readonly texts: readonly string[]
  /** The offset of each line's first character. */
  readonly starts: readonly number[]
}

export const splitLines = (text: string): TextLines => {
  const texts = text.split('\n')
  const starts: number[] = []
  let offset = 0
  for (const line of texts) {
    starts.push(offset)
    offset += line.length + 1
  }
  return { texts, starts }
}

/** From the beginning of line `first` (an index) to the end of the last of `count` lines, without its line feed. */
export const spanOfLines = ({ texts, starts }: TextLines, first: number, count: number): PatchSpan => {
  const last = first + count - 1
  return { start: starts[first] ?? 0, end: (starts[last] ?? 0) + (texts[last] ?? '').length }
}

/** Line numbers, from 1, of ascending offsets; one pass over the text. */
export const lineNumbersOf = (text: string, offsets: readonly number[]): readonly number[] => {
  let line = 1
  let next = text.indexOf('\n')
  return offsets.map((offset) => {
    while (next !== -1 && next < offset) {
      line++
      next = text.indexOf('\n', next + 1)
    }
    return line
  })
}

/** The left-most non-overlapping spans out of ascending ones. */
export const withoutOverlaps = (spans: readonly PatchSpan[]): readonly PatchSpan[] => {
  let free = 0
  return spans.filter(({ start, end }) => {
    if (start < free) return false
    free = end
    return true
  })
}

export interface MappedText {
  readonly text: string
  /** For every unit of `text`, the offset in the original of the part it replaces; one more for the end. */
  readonly origins: readonly number[]
}

/** Replaces every match of the global `pattern`; a replacement must not be empty. */
export const mapText = (original: string, pattern: RegExp, become: (part: string) => string): MappedText => {
  const pieces: string[] = []
  const origins: number[] = []
  let done = 0
  const keepUntil = (end: number): void => {
    pieces.push(original.slice(done, end))
    for (; done < end; done++) origins.push(done)
  }
  for (const { 0: part, index } of original.matchAll(pattern)) {
    keepUntil(index)
    const replacement = become(part)
    pieces.push(replacement)
    for (let unit = 0; unit < replacement.length; unit++) origins.push(index)
    done = index + part.length
  }
  keepUntil(original.length)
  origins.push(original.length)
  return { text: pieces.join(''), origins }
}

/** The original span for a span of the mapped text; `undefined` if it would split a replaced part. */
export const toOriginalSpan = ({ origins }: MappedText, { start, end }: PatchSpan): PatchSpan | undefined => {
  const from = origins[start]
  const to = origins[end]
  if (from === undefined || to === undefined) return undefined
  return from === origins[start - 1] || to === origins[end - 1] ? undefined : { start: from, end: to }
}

const PLAIN_FORMS: Readonly<Record<string, string>> = {
  '\u201c': '"',
  '\u201d': '"',
  '\u2018': "'",
  '\u2019': "'",
  '\u2013': '-',
  '\u2014': '--',
  '\u2212': '-',
  '\u2026': '...',
}

const TYPOGRAPHIC = /[\u00a0\u2000-\u200a\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u202f\u205f\u2212\u3000]/g

/** Smart quotes, dashes, ellipsis, minus and special spaces in their plain forms (reference skills-curator 7). */
export const toPlainTypography = (text: string): MappedText => mapText(text, TYPOGRAPHIC, (character) => PLAIN_FORMS[character] ?? ' ')
