/** The part of a text that says most about a search. Pure. */
import { termsOf } from '../text/terms.ts'
import type { Weights } from './weights.ts'

/** Sentences and lines, at most this long. */
const SENTENCE = /[^.!?。！？\n]{1,240}[.!?。！？\n]*|[.!?。！？\n]+/gu
const MOST_CHARS = 20_000
const CUT = '…'

const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim()

const cutTo = (text: string, limit: number): string =>
  text.length <= limit
    ? text
    : `${text
        .slice(0, Math.max(0, limit - 1))
        .toWellFormed()
        .replace(/\ufffd$/, '')}${CUT}`

const worthOf = (sentence: string, weights: Weights): number => {
  let worth = 0
  for (const term of new Set(termsOf(sentence))) worth += weights.get(term) ?? 0
  return worth
}

interface Range {
  readonly first: number
  readonly last: number
}

/** Sentences around the best one that fit into `limit`: at each step the neighbour that says more. */
const growRange = (sentences: readonly string[], worths: readonly number[], limit: number): Range => {
  let first = Math.max(0, worths.indexOf(Math.max(...worths)))
  let last = first
  let room = limit - (sentences[first]?.length ?? 0)
  for (;;) {
    const goesOn = (worths[last + 1] ?? -1) >= (worths[first - 1] ?? -1)
    const next = sentences[goesOn ? last + 1 : first - 1]
    if (next === undefined || next.length > room) return { first, last }
    room -= next.length
    if (goesOn) last++
    else first--
  }
}

/** Less than this says nothing. */
const LEAST_CHARS = 20

/** On one line, at most `limit` characters, grown around its best sentence; `''` if that is too few for anything. */
export const snippetOf = (text: string, weights: Weights, limit: number): string => {
  if (limit < LEAST_CHARS) return ''
  const whole = oneLine(text.slice(0, MOST_CHARS))
  if (whole.length <= limit && text.length <= MOST_CHARS) return whole
  const sentences = whole.match(SENTENCE) ?? []
  const worths = sentences.map((sentence) => worthOf(sentence, weights))
  const { first, last } = growRange(sentences, worths, limit - 2)
  const body = cutTo(oneLine(sentences.slice(first, last + 1).join('')), limit - 2)
  const isCut = last < sentences.length - 1 || text.length > MOST_CHARS
  return `${first > 0 ? CUT : ''}${body}${isCut && !body.endsWith(CUT) ? CUT : ''}`
}
