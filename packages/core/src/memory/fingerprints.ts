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
    const missing = texts.filter((text) => !known.has(text))
    const found = new Map(missing.length === 0 ? [] : (await fingerprintsOf(missing)).map((hash, index) => [missing[index] ?? '', hash]))
    const hashes = texts.map((text) => known.get(text) ?? found.get(text) ?? '')
    for (const [text, hash] of found) known.set(text, hash)
    for (const oldest of known.keys()) {
      if (known.size <= MAX_REMEMBERED) break
      known.delete(oldest)
    }
    return hashes
  }
}
