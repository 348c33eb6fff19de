/** Regular expressions that are compiled at their first use. */
import { type ReadOnce, readOnce } from './read-once.ts'

/**
 * For expressions with `\p{…}` in files that a start loads. V8 computes the sets of characters of a literal when it loads the file, even inside a function that
 * never runs: some need longer than ten thousand characters of other code.
 */
export const lazyPattern = (source: string, flags: string): ReadOnce<RegExp> => readOnce(() => new RegExp(source, flags))
