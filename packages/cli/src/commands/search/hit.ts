/** What a search is given, and what it finds. */
import type { Excerpt } from './excerpt.ts'
import type { WordMatcher } from './match-words.ts'

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
