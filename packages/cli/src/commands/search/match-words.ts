/** Finds words in a text, ignoring case, accents and the width of characters. Pure. */

/** From a start to an end in UTF-16 units of the text. */
export type Range = readonly [start: number, end: number]

export interface WordMatcher {
  /** At least one; folded. */
  readonly words: readonly string[]
  /** Every occurrence of a word, in order and without overlaps; undefined if a word is missing. */
  readonly match: (text: string) => readonly Range[] | undefined
  /** Occurrences of any of the words. */
  readonly mark: (text: string) => readonly Range[]
}

// Accents of European letters only: other scripts write vowels as marks.
const ACCENTS = /[\u0300-\u036f]/g

const known = new Map<string, string>()

/** Remembered, since a text repeats its letters. */
const foldCharacter = (character: string): string => {
  const folded =
    known.get(character) ?? character.normalize('NFKD').replace(ACCENTS, '').normalize('NFKC').toLowerCase().replaceAll('ß', 'ss')
  known.set(character, folded)
  return folded
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the first and the last character of ASCII
const ASCII = /^[\u0000-\u007f]*$/

interface Folded {
  readonly text: string
  /** For each UTF-16 unit of the folded text, where its character starts in the original, and where it ends. Undefined if the places are the same. */
  readonly starts?: readonly number[]
  readonly ends?: readonly number[]
}

const fold = (original: string): Folded => {
  if (ASCII.test(original)) return { text: original.toLowerCase() }
  const starts: number[] = []
  const ends: number[] = []
  let text = ''
  let at = 0
  for (const character of original) {
    const folded = foldCharacter(character)
    const end = at + character.length
    for (let unit = 0; unit < folded.length; unit++) {
      starts.push(at)
      ends.push(end)
    }
    text += folded
    at = end
  }
  return { text, starts, ends }
}

const rangesOf = (word: string, { text, starts, ends }: Folded): readonly Range[] => {
  const ranges: Range[] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    const last = at + word.length - 1
    ranges.push([starts?.[at] ?? at, ends?.[last] ?? last + 1])
  }
  return ranges
}

const joinOverlaps = (ranges: readonly Range[]): readonly Range[] => {
  const joined: Range[] = []
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = joined.at(-1)
    if (last && start < last[1]) joined[joined.length - 1] = [last[0], Math.max(last[1], end)]
    else joined.push([start, end])
  }
  return joined
}

/** Undefined for a query without a word. */
export const matchWords = (query: string): WordMatcher | undefined => {
  const words = [
    ...new Set(
      fold(query)
        .text.split(/\s+/)
        .filter((word) => word !== ''),
    ),
  ]
  if (words.length === 0) return undefined
  const find = (text: string): readonly (readonly Range[])[] => {
    const folded = fold(text)
    return words.map((word) => rangesOf(word, folded))
  }
  return {
    words,
    match: (text) => {
      const found = find(text)
      return found.some((ranges) => ranges.length === 0) ? undefined : joinOverlaps(found.flat())
    },
    mark: (text) => joinOverlaps(find(text).flat()),
  }
}
