/** Homes of a recall index, and turns for them. */
import { type HermesError, systemClock } from '@hermes/core'
import type { HomeRecallIndex, RecallIndex, RecallIndexHome, RecallItem } from '@hermes/recall'

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu)
    ?.map((word) => word.slice(0, 64)) ?? []

const termsOf = ({ kind, source, user, answer }: RecallItem): readonly string[] =>
  wordsOf(kind === 'turn' ? `${user} ${answer}` : `${source} ${answer}`).slice(0, 20_000)

export interface OpenedHome {
  readonly index: HomeRecallIndex
  readonly problems: readonly HermesError[]
}

export const openRecallHome = async (
  recall: RecallIndex,
  folder = 'homes/ada',
  change: Partial<Pick<RecallIndexHome, 'termsOf' | 'termsVersion'>> = {},
): Promise<OpenedHome> => {
  const problems: HermesError[] = []
  const report = (problem: HermesError) => void problems.push(problem)
  return { index: await recall.open({ folder, clock: systemClock, termsVersion: 1, termsOf, report, ...change }), problems }
}

export const turn = (id: string, source: string, at: number, user: string, answer = 'Noted.'): RecallItem => ({
  id,
  kind: 'turn',
  source,
  at,
  automated: false,
  user,
  answer,
})

export const archived = (kind: 'entry' | 'skill', id: string, source: string, answer: string): RecallItem => ({
  id,
  kind,
  source,
  at: 1,
  automated: false,
  user: '',
  answer,
})

export const find = async (index: HomeRecallIndex, words: string, change: object = {}): Promise<readonly string[]> =>
  (await index.search({ terms: [...new Set(wordsOf(words))], limit: 10, ...change })).hits.map(({ id }) => id)

export const forgetting = (text: string, dryRun = false) => ({
  kind: 'text' as const,
  text,
  matches: (stored: string) => stored.includes(text),
  dryRun,
})
