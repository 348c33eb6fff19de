/** Fingerprints of entries, the keys of the provenance records. */
import { mapInSlices } from '../shared/map-in-slices.ts'
import { sha256OfText } from '../shared/sha256.ts'

/** SHA-256 in lower-case hexadecimal of each text, in the given order. */
export type Fingerprints = (texts: readonly string[]) => Promise<readonly string[]>

export const fingerprintsOf: Fingerprints = (texts) => mapInSlices(texts, (slice) => Promise.all(slice.map(sha256OfText)))

/** More entries of ordinary length than the largest store holds: with fewer, every change of a full one would work out all of them again. */
export const MAX_REMEMBERED_TEXTS = 1024

/** Caches the fingerprints of the last 1,024 texts. */
export const rememberFingerprints = (): Fingerprints => {
  const known = new Map<string, string>()
  const remember: Fingerprints = async (texts) => {
    // Taken at once: while this call waits, another one may make room for its own texts.
    const hashes = new Map(texts.map((text) => [text, known.get(text)]))
    const missing = [...hashes.keys()].filter((text) => hashes.get(text) === undefined)
    const found = missing.length === 0 ? [] : await fingerprintsOf(missing)
    for (const [index, text] of missing.entries()) {
      hashes.set(text, found[index])
      known.set(text, found[index] ?? '')
    }
    for (const oldest of known.keys()) {
      if (known.size <= MAX_REMEMBERED_TEXTS) break
      known.delete(oldest)
    }
    return texts.map((text) => hashes.get(text) ?? '')
  }
  return (texts) => mapInSlices(texts, remember)
}
