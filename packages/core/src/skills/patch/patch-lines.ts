/** A text as lines with offsets, and spans between them. Lines end at LF; a CR stays with its line. */

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
