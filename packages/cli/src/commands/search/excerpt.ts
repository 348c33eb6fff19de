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
