/** A text without its credentials, for whatever is kept besides the stores: no record of a text holds what no store may hold. */
import { findCredentials } from './find-credentials.ts'

export const REDACTED = '[redacted: looks like a secret]'

/** Lines that hold a part of one become `[redacted: looks like a secret]`, the others stay to the letter. So does all of a text that is too long to be looked through. */
export const redactCredentials = (text: string): string => {
  const found = findCredentials(text)
  if (found === undefined) return REDACTED
  if (found.length === 0) return text
  // Folding neither makes nor takes away a line feed, so line numbers hold for both.
  const lines: (string | undefined)[] = text.split('\n')
  for (const { firstLine, lastLine } of found) {
    lines[firstLine] = REDACTED
    for (let line = firstLine + 1; line <= lastLine; line++) lines[line] = undefined
  }
  return lines.filter((line) => line !== undefined).join('\n')
}
