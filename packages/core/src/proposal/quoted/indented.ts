/** Code blocks by indentation: behind a blank line, indented by four blanks or a tab, as in Markdown. */
import { latePattern } from '../../shared/late-pattern.ts'
import type { Line, Range } from './lines.ts'

const indented = /^(?: {4}|[ ]{0,3}\t)/
const listItem = latePattern(String.raw`^\s{0,20}(?:[-*+•·–]|\d{1,4}[.)、]|\p{L}[.)])\s`, 'u')

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
