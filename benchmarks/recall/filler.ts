/**
 * What people say to an assistant without a fact about themselves, in `filler/`: `request | answer`, whose blanks are filled with words; the answer takes up those of the
 * request.
 */
import { readLines } from '../read-lines.ts'
import type { SeededRandom } from './seeded-random.ts'

interface TextLine {
  readonly list: string
  readonly topic?: string
  readonly texts: readonly string[]
}

interface WordLine {
  readonly kind: string
  readonly words: readonly string[]
}

const lines = readLines<TextLine>(new URL('filler/texts.jsonl', import.meta.url))
const words = readLines<WordLine>(new URL('filler/words.jsonl', import.meta.url))

const textsOf = (name: string): readonly string[] => lines.find(({ list }) => list === name)?.texts ?? []

const wordsOf = (name: string): readonly string[] => {
  const found = words.find(({ kind }) => kind === name)
  if (found === undefined) throw new TypeError(`There are no words for {${name}}.`)
  return found.words
}

export const TOPICS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  lines.flatMap(({ topic, texts }) => (topic === undefined ? [] : [[topic, texts]])),
)
export const ANYTHING = textsOf('anything')
export const GLUE = textsOf('glue')
export const AUTOMATED = textsOf('automated')
export const SMALL_TALK = textsOf('smallTalk')
export const UNRELATED = textsOf('unrelated')
export const LEAD_INS = textsOf('leadIns')
export const TAILS = textsOf('tails')
export const OPENERS = textsOf('openers')
export const CLOSERS = textsOf('closers')

/** Of whom the user tells, and the projects. */
export const PEOPLE = wordsOf('people')
export const PROJECTS = wordsOf('projects')

export interface Exchange {
  readonly user: string
  readonly assistant: string
}

/** Many words, of which the first are used most. */
const LONG_TAIL: ReadonlySet<string> = new Set(['noun', 'adj', 'verb'])

const wordFor = (name: string, random: SeededRandom): string => {
  const words = wordsOf(name)
  return LONG_TAIL.has(name) ? random.pickSkewed(words) : random.pick(words)
}

const fill = (template: string, chosen: ReadonlyMap<string, string>, random: SeededRandom): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => chosen.get(name) ?? wordFor(name, random))

/** The answer takes up the words of the request. */
export const fillExchange = (template: string, random: SeededRandom): Exchange => {
  const [request = '', answer = ''] = template.split(' | ')
  const chosen = new Map<string, string>()
  for (const [, name = ''] of request.matchAll(/\{(\w+)\}/g)) chosen.set(name, wordFor(name, random))
  return { user: fill(request, chosen, random), assistant: fill(answer, chosen, random) }
}
