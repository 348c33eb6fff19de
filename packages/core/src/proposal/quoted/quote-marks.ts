/** Lines that begin with a quote mark. */
import type { Line, Range } from './lines.ts'

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
