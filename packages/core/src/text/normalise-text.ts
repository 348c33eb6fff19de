/** Normalises texts for comparison: Unicode NFKC, lower case, plain quotes and dashes, single spaces, no invisible characters. */
import { foldCompatible, withoutInvisible } from '../shared/fold-text.ts'
import { spend } from './work-limit.ts'

export const normaliseText = (text: string): string => {
  spend(100 * text.length)
  const folded = foldCompatible(text).toLowerCase().normalize('NFKC')
  spend(100 * folded.length)
  return withoutInvisible(folded)
    .replace(/[\u2018\u2019\u201b\u2032\u00b4`]/g, "'")
    .replace(/[\u201c-\u201f\u00ab\u00bb\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A message with text; the object must not change. */
export interface Said {
  readonly text: string
}

// Cache: a transcript is checked for each proposal, and its messages do not change.
const known = new WeakMap<Said, string>()

/** `normaliseText` of a message, cached. */
export const normalisedMessage = (message: Said): string => {
  const text = known.get(message) ?? normaliseText(message.text)
  known.set(message, text)
  return text
}
