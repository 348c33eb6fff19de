/** Keeps credentials out of the journal and of the queue: what no memory may hold, no record of it may hold either. */
import { looksLikeSecret, REDACTED, redactText } from '../memory/redact-text.ts'

const keyBlock = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY-----[^-]*(?:-----END [A-Z0-9 ]{0,40}-----)?/g

/** The lines that hold one; all of it where no line alone does. For whole files, so that a record can still give the rest back. */
export const redactLines = (text: string): string => {
  if (!looksLikeSecret(text)) return text
  const lines = text.replace(keyBlock, REDACTED).split('\n')
  return redactText(lines.map(redactText).join('\n'))
}

/** A copy in which `redact` has gone over every text; shape and other values stay. */
export const redactSecrets = <T>(value: T, redact: (text: string) => string = redactText): T => {
  const copy = (part: unknown): unknown => {
    if (typeof part === 'string') return redact(part)
    if (Array.isArray(part)) return part.map(copy)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, copy(inner)]))
  }
  // The copy has the shape of its original: only texts change, and only into texts.
  return copy(value) as T
}
