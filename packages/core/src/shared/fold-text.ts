/** Normalises text to one Unicode form, so that a rule cannot be bypassed by another spelling of the same letters. Linear in the text. */
import { isAscii } from './ascii.ts'
import { lazyPattern } from './lazy-pattern.ts'

const MARK_RUN = lazyPattern(String.raw`[\p{M}\uff9e\uff9f]+`, 'gu')

/**
 * Normalising sorts combining marks in quadratic time, so tens of thousands of marks would block the host. A joiner after every thirtieth
 * (as in Unicode's stream-safe format) keeps it linear and does not affect any rule.
 */
const breakMarkRuns = (text: string): string =>
  text.replace(MARK_RUN.read(), (run) => (run.length > 30 ? run.replace(/.{30}/gsu, '$&\u034f') : run))

/** Unicode NFKC. A single character can expand to eighteen. */
export const foldCompatible = (text: string): string => (isAscii(text) ? text : breakMarkRuns(text).normalize('NFKC'))

// Zero width, direction marks, tag characters, variation selectors, fillers.
const INVISIBLE = lazyPattern(String.raw`[\p{Cf}\p{Variation_Selector}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5`, 'gu')

/** Removes invisible characters. Line breaks and spaces are kept. */
export const withoutInvisible = (text: string): string => (isAscii(text) ? text : text.replace(INVISIBLE.read(), ''))

/** Unicode NFKC of the visible characters: what stood on both sides of an invisible one is composed. */
export const foldVisible = (text: string): string => withoutInvisible(foldCompatible(withoutInvisible(text)))
