/** The lines of a message, as the structures of copied text are found in them. */

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
