/** A part of a text around the first match. Pure. */
import { oneLine } from '../../terminal/clean-text.ts'
import type { Range, WordMatcher } from './match-words.ts'

export interface Excerpt {
  /** On one line; `…` where the text is cut. */
  readonly text: string
  readonly matches: readonly Range[]
}

/** A third of the excerpt is before the match. */
const SHARE_BEFORE = 3

/** Does not split a surrogate pair. */
const isInside = (text: string, at: number): boolean => /^[\udc00-\udfff]/.test(text.slice(at, at + 1))

const wholeWord = (text: string, at: number): number => {
  const space = text.lastIndexOf(' ', at)
  if (at - space < 20 && space > 0) return space + 1
  return isInside(text, at) ? at + 1 : at
}

/** `undefined` if a word is missing. `chars`: maximum length in UTF-16 units, without the two `…`. */
export const excerptOf = (original: string, matcher: WordMatcher, chars: number): Excerpt | undefined => {
  const text = oneLine(original)
  const ranges = matcher.match(text)
  const [first] = ranges ?? []
  if (!ranges || !first) return undefined
  if (text.length <= chars) return { text, matches: ranges }
  const start = wholeWord(text, Math.max(0, Math.min(first[0] - Math.floor(chars / SHARE_BEFORE), text.length - chars)))
  const end = isInside(text, start + chars) ? start + chars - 1 : start + chars
  const cut = `${start > 0 ? '…' : ''}${text.slice(start, end).trimEnd()}${end < text.length ? '…' : ''}`
  return { text: cut, matches: matcher.mark(cut) }
}

export interface Hit extends Excerpt {
  /** Within its place: the number of an entry in its file, the beginning of an id, a name. */
  readonly id: string
  /** What it is, in a few words. */
  readonly title: string
  /** Epoch milliseconds; 0 if unknown. */
  readonly at: number
  /** Shows the whole of it. */
  readonly command: string
}

export interface Hits {
  /** At most as many as asked for, the best first. */
  readonly hits: readonly Hit[]
  /** There are more. */
  readonly more: boolean
}

export interface Search {
  /** The words as typed. */
  readonly query: string
  readonly matcher: WordMatcher
  /** Maximum number of hits of each place. */
  readonly limit: number
}

export const EXCERPT_CHARS = 200
