/** Keeps credentials out of the journal and of the queue: what no memory may hold, no record of it may hold either. */
import { redactCredentials } from '../threats/credentials/redact-credentials.ts'

/** A copy in which `redactCredentials` has gone over every text; shape and other values stay. */
export const redactSecrets = <T>(value: T): T => {
  const copy = (part: unknown): unknown => {
    if (typeof part === 'string') return redactCredentials(part)
    if (Array.isArray(part)) return part.map(copy)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, copy(inner)]))
  }
  // The copy has the shape of its original: only texts change, and only into texts.
  return copy(value) as T
}
