/** How much the terms of a search say, and where a text says the most. Pure. */
import type { IndexAnswer } from '../recall-index.ts'
import { commonTerms } from '../text/common-words.ts'
import { termsOf } from '../text/terms.ts'

export type Weights = ReadonlyMap<string, number>

/** A small home is taken for one with this many more items, half of which hold the words that are common everywhere. */
export const PRIOR_ITEMS = 200
const PRIOR_SHARE = 0.5

/** Inverse frequencies of the terms, in nats: what a term says about which item is meant. A term that no item holds says the most. */
export const weightsOf = ({ frequencies, items }: Pick<IndexAnswer, 'frequencies' | 'items'>): Weights => {
  const common = commonTerms()
  return new Map(
    [...frequencies].map(([term, counted]) => {
      const frequency = counted + (common.has(term) ? PRIOR_ITEMS * PRIOR_SHARE : 0)
      // In a small home, most words are not known yet.
      const all = frequency === 0 ? items : items + PRIOR_ITEMS
      return [term, Math.log(1 + (Math.max(0, all - frequency) + 0.5) / (frequency + 0.5))]
    }),
  )
}

export const sum = (values: Iterable<number>): number => {
  let total = 0
  for (const value of values) total += value
  return total
}

export interface BestSentence {
  readonly text: string
  readonly weight: number
}

/** Of a long text, the beginning is enough to rank it. */
export const MOST_CHARS = 6_000
const SENTENCE_END = /[.!?。！？\n]+/u

/** The sentence that shares the most with the search: words that are said together belong together. */
export const bestSentence = (text: string, weights: Weights): BestSentence => {
  let best: BestSentence = { text: '', weight: 0 }
  for (const sentence of text.slice(0, MOST_CHARS).split(SENTENCE_END)) {
    let weight = 0
    for (const term of new Set(termsOf(sentence))) weight += weights.get(term) ?? 0
    if (weight > best.weight) best = { text: sentence, weight }
  }
  return best
}
