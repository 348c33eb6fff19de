/** Wraps text at words to the width of the screen. */
import { graphemeWidth, textWidth, toGraphemes } from './text-width.ts'

/** Breaks a word that is wider than the line. One pass, since a page of Chinese is one word. */
const breakWord = (word: string, width: number): readonly string[] => {
  if (textWidth(word) <= width) return [word]
  const parts: string[] = []
  let part = ''
  let used = 0
  for (const grapheme of toGraphemes(word)) {
    const cells = graphemeWidth(grapheme)
    // A character of two cells does not fit into one; it is shown anyway.
    if (part !== '' && used + cells > width) {
      parts.push(part)
      part = ''
      used = 0
    }
    part += grapheme
    used += cells
  }
  return [...parts, part]
}

const wrapLine = (line: string, width: number): readonly string[] => {
  if (textWidth(line) <= width) return [line]
  const lead = /^ */.exec(line)?.[0] ?? ''
  const indent = lead.length < width / 2 ? lead : ''
  const lines: string[] = []
  let current = ''
  let used = 0
  for (const word of line
    .trim()
    .split(/ +/)
    .flatMap((part) => breakWord(part, width - indent.length))) {
    const cells = textWidth(word)
    if (current !== '' && indent.length + used + 1 + cells > width) {
      lines.push(indent + current)
      current = word
      used = cells
    } else {
      used += current === '' ? cells : cells + 1
      current = current === '' ? word : `${current} ${word}`
    }
  }
  return [...lines, indent + current]
}

/** For cleaned text. Keeps its line breaks and indentation; `columns` may be infinite. `indent` applies from the second line on. */
export const wrapText = (text: string, columns: number, indent = 0): string => {
  const width = Math.max(10, columns - indent)
  const lines = text.split('\n').flatMap((line) => wrapLine(line.trimEnd(), width))
  return lines.map((line, index) => (index === 0 || line === '' ? line : ' '.repeat(indent) + line)).join('\n')
}
