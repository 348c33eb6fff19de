/** The fingerprints of entries, under which the provenance records are kept. */
import { sha256OfText } from '../shared/sha256.ts'

/** SHA-256 in lower-case hexadecimal of each text, in the order given. */
export type Fingerprints = (texts: readonly string[]) => Promise<readonly string[]>

export const fingerprintsOf: Fingerprints = (texts) => Promise.all(texts.map(sha256OfText))

/** More entries than a store holds by default. */
const MAX_REMEMBERED = 256

/** The same, and no text that was among the last 256 is hashed again. */
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
