/** Removes credentials from a text that is kept outside the stores: records may not hold what a store may not hold. */
import { mapTexts } from '../../shared/json-texts.ts'
import { findCredentials } from './find-credentials.ts'

export const REDACTED = '[redacted: looks like a secret]'

/**
 * Replaces each line that holds part of a credential with `[redacted: looks like a secret]`; other lines are kept verbatim. A text that
 * is too long to check is replaced as a whole.
 */
export const redactCredentials = (text: string): string => {
  const found = findCredentials(text)
  if (found === undefined) return REDACTED
  if (found.length === 0) return text
  // Folding keeps the number of line feeds, so line numbers are valid for both texts.
  const lines: (string | undefined)[] = text.split('\n')
  for (const { firstLine, lastLine } of found) {
    lines[firstLine] = REDACTED
    for (let line = firstLine + 1; line <= lastLine; line++) lines[line] = undefined
  }
  return lines.filter((line) => line !== undefined).join('\n')
}

/** A copy of JSON data with `redactCredentials` applied to every text; shape and other values are kept. */
export const redactSecrets = <T>(value: T): T => mapTexts(value, redactCredentials)
