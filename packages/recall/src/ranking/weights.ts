/** How much the terms of a search say, and where a text says the most. Pure. */
import type { IndexAnswer } from '../recall-index.ts'
import { termsOf } from '../text/terms.ts'

export type Weights = ReadonlyMap<string, number>

/** Inverse frequencies of the terms, in nats: what a term says about which item is meant. A term that no item holds says the most. */
export const weightsOf = ({ frequencies, items }: Pick<IndexAnswer, 'frequencies' | 'items'>): Weights =>
  new Map([...frequencies].map(([term, frequency]) => [term, Math.log(1 + (Math.max(0, items - frequency) + 0.5) / (frequency + 0.5))]))

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
