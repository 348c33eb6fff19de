/** An index over real files, as a provider opens it. */
import type { HermesError } from '@hermes/core'
import type { HomeRecallIndex, RecallItem } from '../../src/recall-index.ts'
import { sqliteRecallIndex } from '../../src/sqlite/sqlite-recall-index.ts'
import { itemTerms, TERMS_VERSION } from '../../src/text/terms.ts'

export const START = Date.UTC(2026, 2, 1)

export interface OpenOptions {
  readonly home?: string
  readonly termsVersion?: number
  readonly problems?: HermesError[]
}

export const openIndex = (
  folder: string,
  { home = '', termsVersion = TERMS_VERSION, problems = [] }: OpenOptions = {},
): Promise<HomeRecallIndex> =>
  sqliteRecallIndex({ folder }).open({
    folder: home,
    clock: () => START,
    termsVersion,
    termsOf: itemTerms,
    report: (problem) => problems.push(problem),
  })

export const turn = (id: string, user: string, more: Partial<RecallItem> = {}): RecallItem => ({
  id,
  kind: 'turn',
  source: 'chat-1',
  at: START,
  automated: false,
  user,
  answer: 'Noted.',
  ...more,
})

/** `count` turns in sessions of five, each with a word of its own: `word0`, `word1`, … */
export const manyTurns = (count: number, prefix = 'word'): readonly RecallItem[] =>
  Array.from({ length: count }, (_, index) =>
    turn(`${prefix}-${index}`, `We spoke of ${prefix}${index} and the weather.`, {
      source: `chat-${Math.floor(index / 5)}`,
      at: START + index * 60_000,
      answer: `Yes, ${prefix}${index} is in the list, and it rains.`,
    }),
  )

export const find = async (index: HomeRecallIndex, ...terms: string[]): Promise<readonly string[]> =>
  (await index.search({ terms, limit: 50 })).hits.map(({ id }) => id).sort()
