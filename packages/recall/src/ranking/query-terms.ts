/** The terms of a search. No list of words is left out: a term that most items hold weighs next to nothing. */
import { termsOf } from '../text/terms.ts'

const MOST_TERMS = 64
/** Of a longer text, the beginning and the end are searched for: people ask their question there. */
const MOST_CHARS = 4_000

/** Distinct, in text order. */
export const queryTerms = (text: string): readonly string[] => {
  const ends = text.length > 2 * MOST_CHARS ? `${text.slice(0, MOST_CHARS)} ${text.slice(-MOST_CHARS)}` : text
  const distinct = [...new Set(termsOf(ends))]
  return distinct.length <= MOST_TERMS ? distinct : [...distinct.slice(0, MOST_TERMS / 2), ...distinct.slice(-MOST_TERMS / 2)]
}
