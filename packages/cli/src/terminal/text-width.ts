/** Wraps text at words to the width of the screen. */

/** Width of text in terminal cells: East Asian characters and emoji take two, combining marks none. */

/** Characters of one cell, including those used in our own tables. */
const PLAIN = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2013\u2014\u2018-\u201d\u2026\u2190-\u2193\u2500-\u2593]*$/

const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f1e6}-\u{1f1ff}\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u

const NO_CELL = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u

let segmenter: Intl.Segmenter | undefined

/** Created on first use: it takes 10 ms, and most texts do not need it. */
const graphemes = (): Intl.Segmenter => {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter
}

/** Width of one grapheme in cells. */
const graphemeWidth = (grapheme: string): number => (NO_CELL.test(grapheme) ? 0 : WIDE.test(grapheme) ? 2 : 1)

/** Splits text into user-perceived characters. */
const toGraphemes = (text: string): readonly string[] =>
  PLAIN.test(text) ? [...text] : Array.from(graphemes().segment(text), ({ segment }) => segment)

/** For text without control characters. */
export const textWidth = (text: string): number =>
  PLAIN.test(text) ? text.length : toGraphemes(text).reduce((width, grapheme) => width + graphemeWidth(grapheme), 0)

/** The longest beginning of at most `width` cells. */
const takeWidth = (text: string, width: number): string => {
  if (textWidth(text) <= width) return text
  let taken = ''
  let used = 0
  for (const grapheme of toGraphemes(text)) {
    used += graphemeWidth(grapheme)
    if (used > width) break
    taken += grapheme
  }
  return taken
}

/** Cuts the text to `width` cells; a cut text ends with `…`. */
export const truncate = (text: string, width: number): string =>
  textWidth(text) <= width ? text : `${takeWidth(text, Math.max(0, width - 1)).trimEnd()}${width > 0 ? '…' : ''}`

/** Pads or cuts the text to exactly `width` cells. */
export const fitWidth = (text: string, width: number, align: 'left' | 'right' = 'left'): string => {
  const cut = truncate(text, width)
  const space = ' '.repeat(Math.max(0, width - textWidth(cut)))
  return align === 'left' ? cut + space : space + cut
}

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
