/** Wraps a text at words to the width of the screen, later lines under the first. */
import { takeWidth, textWidth } from './text-width.ts'

/** A word that is wider than the line is broken where the line ends. */
const breakWord = (word: string, width: number): readonly string[] => {
  const parts: string[] = []
  let rest = word
  while (textWidth(rest) > width) {
    // A character of two cells does not fit one cell; it is shown all the same.
    const part = takeWidth(rest, width) || [...rest].slice(0, 1).join('')
    parts.push(part)
    rest = rest.slice(part.length)
  }
  return rest === '' ? parts : [...parts, rest]
}

const wrapLine = (line: string, width: number): readonly string[] => {
  if (textWidth(line) <= width) return [line]
  const lead = /^ */.exec(line)?.[0] ?? ''
  const indent = lead.length < width / 2 ? lead : ''
  const lines: string[] = []
  let current = ''
  for (const word of line
    .trim()
    .split(/ +/)
    .flatMap((part) => breakWord(part, width - indent.length))) {
    const longer = current === '' ? word : `${current} ${word}`
    if (textWidth(indent + longer) <= width) current = longer
    else {
      lines.push(indent + current)
      current = word
    }
  }
  return [...lines, indent + current]
}

/** For cleaned text. Its own line breaks and indents stay; `columns` may be infinite. The first line gets no indent. */
export const wrapText = (text: string, columns: number, indent = 0): string => {
  const width = Math.max(10, columns - indent)
  const lines = text.split('\n').flatMap((line) => wrapLine(line.trimEnd(), width))
  return lines.map((line, index) => (index === 0 || line === '' ? line : ' '.repeat(indent) + line)).join('\n')
}
