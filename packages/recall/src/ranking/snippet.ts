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

/** Less than this says nothing. */
const LEAST_CHARS = 20

/** On one line, at most `limit` characters, grown around its best sentence; `''` if that is too few for anything. */
export const snippetOf = (text: string, weights: Weights, limit: number): string => {
  if (limit < LEAST_CHARS) return ''
  const whole = oneLine(text.slice(0, MOST_CHARS))
  if (whole.length <= limit && text.length <= MOST_CHARS) return whole
  const sentences = whole.match(SENTENCE) ?? []
  const worths = sentences.map((sentence) => worthOf(sentence, weights))
  let first = Math.max(0, worths.indexOf(Math.max(...worths)))
  let last = first
  let length = sentences[first]?.length ?? 0
  for (;;) {
    const before = sentences[first - 1]
    const after = sentences[last + 1]
    const isAfterBetter = before === undefined || (worths[last + 1] ?? 0) >= (worths[first - 1] ?? 0)
    const next = after !== undefined && isAfterBetter ? after : (before ?? after)
    if (next === undefined || length + next.length > limit - 2) break
    length += next.length
    if (next === after && isAfterBetter) last++
    else if (next === before) first--
    else last++
  }
  const body = cutTo(oneLine(sentences.slice(first, last + 1).join('')), limit - 2)
  const end = last < sentences.length - 1 || text.length > MOST_CHARS ? CUT : ''
  return `${first > 0 ? CUT : ''}${body}${body.endsWith(CUT) ? '' : end}`
}
