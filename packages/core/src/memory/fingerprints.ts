/** Fingerprints of entries, the keys of the provenance records. */
import { sha256OfText } from '../shared/sha256.ts'

/** SHA-256 in lower-case hexadecimal of each text, in the given order. */
export type Fingerprints = (texts: readonly string[]) => Promise<readonly string[]>

export const fingerprintsOf: Fingerprints = (texts) => Promise.all(texts.map(sha256OfText))

/** More entries than a store holds by default. */
const MAX_REMEMBERED = 256

/** Caches the fingerprints of the last 256 texts. */
export const rememberFingerprints = (): Fingerprints => {
  const known = new Map<string, string>()
  return async (texts) => {
    // Taken at once: while this call waits, another one may make room for its own texts.
    const hashes = new Map(texts.map((text) => [text, known.get(text)]))
    const missing = [...hashes.keys()].filter((text) => hashes.get(text) === undefined)
    const found = missing.length === 0 ? [] : await fingerprintsOf(missing)
    for (const [index, text] of missing.entries()) {
      hashes.set(text, found[index])
      known.set(text, found[index] ?? '')
    }
    for (const oldest of known.keys()) {
      if (known.size <= MAX_REMEMBERED) break
      known.delete(oldest)
    }
    return texts.map((text) => hashes.get(text) ?? '')
  }
}
