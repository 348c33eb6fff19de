/** Keeps credentials out of the journal and of the queue: what no memory may hold, no record of it may hold either. */
import { holdsCredential } from '../memory/credential-patterns.ts'
import { scanMemoryText } from '../memory/threat-scan.ts'

export const REDACTED = '[redacted: looks like a secret]'

const looksLikeSecret = (text: string): boolean => holdsCredential(text) || scanMemoryText(text).includes('hardcoded_secret')

/** A copy in which every text that holds a credential is replaced as a whole; shape and other values stay. */
export const redactSecrets = <T>(value: T): T => {
  const copy = (part: unknown): unknown => {
    if (typeof part === 'string') return looksLikeSecret(part) ? REDACTED : part
    if (Array.isArray(part)) return part.map(copy)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, copy(inner)]))
  }
  // The copy has the shape of its original: only texts change, and only into texts.
  return copy(value) as T
}
