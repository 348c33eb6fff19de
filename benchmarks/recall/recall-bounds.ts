/** What recall must reach in the small corpus of the tests, a little below what was measured. Pure. */
import { percent } from '../report.ts'
import type { SessionSizes } from './generate-sessions.ts'
import type { Answered, SubjectOutcome } from './measure-recall.ts'
import { newestFirstShare, noiseShare, recallAt, tokensPerTurn } from './recall-report.ts'

/** About 7,000 messages. */
export const SMALL_SIZES: SessionSizes = { sessions: 200, minTurns: 10, maxTurns: 20 }
export const SMALL_SEED = 1

export interface Finding {
  readonly name: string
  readonly measured: string
  readonly wanted: string
  readonly isMet: boolean
}

const atLeast = (name: string, share: number, wanted: number): Finding => ({
  name,
  measured: percent(share),
  wanted: `≥ ${percent(wanted)}`,
  isMet: share >= wanted,
})

const atMost = (name: string, share: number, wanted: number): Finding => ({
  name,
  measured: percent(share),
  wanted: `≤ ${percent(wanted)}`,
  isMet: share <= wanted,
})

const MOST_TOKENS = 400

export const compareWithBounds = ({ answered, smallTalk, unrelated }: SubjectOutcome): readonly Finding[] => {
  const firstFive = (isIn: (each: Answered) => boolean) => recallAt(answered.filter(isIn), 5)
  const ofKind = (kind: string) => firstFive(({ question }) => question.kind === kind)
  const worded = (wording: string) => firstFive(({ question }) => question.wording === wording)
  const prefetched = answered.filter((each) => each.prefetched).length / answered.length
  const tokens = tokensPerTurn(answered)
  return [
    atLeast('all questions, answered among the first five sessions', recallAt(answered, 5), 0.88),
    atLeast('all questions, answered by the first session', recallAt(answered, 1), 0.66),
    atLeast('worded the same', worded('same'), 0.95),
    atLeast('worded partly the same', worded('partly'), 0.9),
    atLeast('questions with a time', ofKind('time'), 0.95),
    atLeast('questions of two hops', ofKind('two-hops'), 0.9),
    atLeast('questions in other languages', ofKind('language'), 0.95),
    atLeast('updates, the newest before the outdated', newestFirstShare(answered), 0.68),
    atLeast('answered by what is shown without asking', prefetched, 0.8),
    atMost('small talk that recalls anything', noiseShare(smallTalk), 0.15),
    atMost('unrelated questions that recall anything', noiseShare(unrelated), 0.45),
    { name: 'tokens recalled per turn', measured: tokens.toFixed(0), wanted: `≤ ${MOST_TOKENS}`, isMet: tokens <= MOST_TOKENS },
  ]
}
