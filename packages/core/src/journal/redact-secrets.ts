/** Keeps credentials out of the journal and the queue, as out of memory. */
import { redactCredentials } from '../threats/credentials/redact-credentials.ts'

/** A copy with `redactCredentials` applied to every text; shape and other values are kept. */
export const redactSecrets = <T>(value: T): T => {
  const copy = (part: unknown): unknown => {
    if (typeof part === 'string') return redactCredentials(part)
    if (Array.isArray(part)) return part.map(copy)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, copy(inner)]))
  }
  // The copy has the shape of the original: texts are only replaced by texts.
  return copy(value) as T
}
