/** Finds `<opening> … <closing>` within a distance or on one line in a single pass, where a regular expression would retry from each opening. */

export interface TextWindow {
  /** Global. Everything that has to stand before the free text, white space included. */
  readonly opening: RegExp
  /** Global. Where it begins with one white-space character, the whole run before it counts as its own. */
  readonly closing: RegExp
  /** Characters of free text at most. */
  readonly maxChars: number
  readonly sameLine: boolean
}

const isSpaceAt = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\n'

/** Expects a text of `toThreatText`. */
export const hasWindow = (text: string, { opening, closing, maxChars, sameLine }: TextWindow): boolean => {
  const openings = text.matchAll(opening)
  let ahead = openings.next()
  let from = -1
  let lineEnd = -1
  for (const match of text.matchAll(closing)) {
    let to = match.index
    if (isSpaceAt(text, to)) while (isSpaceAt(text, to - 1)) to--
    // Among the openings before it, the last leaves the least free text and the fewest line ends.
    while (!ahead.done && ahead.value.index + ahead.value[0].length <= to) {
      from = ahead.value.index + ahead.value[0].length
      ahead = openings.next()
    }
    if (from < 0 || to - from > maxChars) continue
    if (!sameLine) return true
    if (lineEnd < from) lineEnd = endOfLine(text, from)
    if (to <= lineEnd) return true
  }
  return false
}

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
