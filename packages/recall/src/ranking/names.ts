/** The names in a text, told by their capital letters. Pure. */
import { termsOf } from '../text/terms.ts'

/** A capital letter within a sentence, in scripts that have them; at its beginning, two words with one. */
const NAME =
  /(?<=[\p{L}\p{N},;:]\s+["'(]?)\p{Lu}[\p{L}\p{M}\p{N}'-]+(?:\s+\p{Lu}[\p{L}\p{M}\p{N}'-]+)*|^\p{Lu}[\p{L}\p{M}'-]+(?:\s+\p{Lu}[\p{L}\p{M}'-]+)+/gu
const LEAST_CHARS = 3

/** Their terms, each once. */
export const nameTerms = (text: string): readonly string[] => {
  const terms = [...text.matchAll(NAME)].flatMap(([name]) => termsOf(name))
  return [...new Set(terms)].filter((term) => term.length >= LEAST_CHARS)
}
