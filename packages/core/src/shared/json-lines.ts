/** The lines of documents that have one JSON object in each. Pure. */

export interface JsonLine {
  readonly text: string
  /** From 1; that of the document's line that it is in. */
  readonly number: number
}

/**
 * The lines that are not blank. If something else took away the end of a line, the next line was appended right behind it: it begins where `firstKey`, the first
 * key of each object, does; Python writes a space behind its colon. No string in a line holds these characters unescaped.
 */
export function* jsonLines(text: string, firstKey: string): Generator<JsonLine, void> {
  const beginning = new RegExp(`(?=\\{"${firstKey}": ?")`)
  let number = 1
  for (let start = 0; start < text.length; number++) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    for (const piece of text.slice(start, end).split(beginning)) if (piece.trim() !== '') yield { text: piece, number }
    start = end + 1
  }
}
