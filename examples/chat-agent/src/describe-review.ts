/** A review in words: that it is under way, what became of its proposals, and why there was none. */

import type { HermesEvent, ReviewOutcome, ReviewProposal, ReviewRun } from '@hermes/core'
import type { AppliedProposal, RejectedProposal } from '@hermes/core/review'
import type { SkillOpOutcome } from '@hermes/core/skills'
import { counted, oneLine } from '@hermes/example-chat-parts/text'
import { describeOp } from './describe-op.ts'

export type ReviewStart = Extract<HermesEvent, { readonly type: 'review-started' }>

const MAX_REASON_CHARS = 160

/** While the review at the end of a conversation runs. */
export const describeLearning = ({ turns }: ReviewStart): string =>
  `· Learning${turns === 0 ? '' : ` from ${counted(turns, 'turn')}`} … Ctrl-C skips.`

const WAIT_REASONS = {
  budget: 'learning has used its share of tokens',
  'tokens-per-day': 'learning has used its tokens for today',
  breaker: 'the last reviews failed',
} as const

export const describeWait = (reason: keyof typeof WAIT_REASONS): string =>
  `· the review waits: ${WAIT_REASONS[reason]}; the turns stay unread until then`

/** Why nothing was learned at the end of a conversation; undefined if nothing needs telling, or an event tells it. */
export const describeEnd = (run: ReviewRun | undefined): string | undefined => {
  if (run?.kind === 'busy') return '· another review of this home is running: that review or the next one reads this conversation'
  return run?.kind === 'waits' ? describeWait(run.reason) : undefined
}

/** `review after 10 turns and 12 tool steps`. */
export const describeStart = (start: ReviewStart | undefined): string => {
  if (start === undefined) return 'review'
  const reasons = [
    ...(start.reviews === 'skills' ? [] : [counted(start.turns, 'turn')]),
    ...(start.reviews === 'memory' ? [] : [counted(start.iterations, 'tool step')]),
  ]
  return `review after ${reasons.join(' and ')}`
}

const describeCounts = ({ applied, rejected, failed }: ReviewOutcome): string => {
  const because = (reasons: readonly string[]): string =>
    reasons.length === 0 ? '' : ` (${[...new Set(reasons.map((reason) => oneLine(reason, 100).replace(/\.$/, '')))].join('; ')})`
  const refused = rejected.filter(({ held }) => !held)
  const held = rejected.length - refused.length
  return [
    `${applied.length} applied`,
    ...(held === 0 ? [] : [`${held} held for you`]),
    `${refused.length} rejected${because(refused.map(({ reason }) => reason))}`,
    `${failed.length} failed${because(failed.map(({ error }) => error.message))}`,
  ].join(', ')
}

const describeSkill = ({ action, name, filePath }: SkillOpOutcome): string => {
  if (action === 'create') return `learned a skill: ${name}`
  if (action === 'write_file') return `added ${filePath} to the skill ${name}`
  if (action === 'remove_file') return `removed ${filePath} from the skill ${name}`
  return action === 'archive' ? `archived the skill ${name}` : `improved the skill ${name}`
}

const describeItem = (word: string, { target, op }: ReviewProposal, reason: string): string =>
  `${word}: ${describeOp(target, op)} · ${oneLine(reason, MAX_REASON_CHARS)}`

const describeApplied = ({ proposal, verdict, outcome }: AppliedProposal): string =>
  outcome.target === 'skill'
    ? oneLine(describeSkill(outcome))
    : describeItem(verdict.origin === 'tool' ? 'applied, from outside' : 'applied', proposal, verdict.reason)

const describeEvicted = ({ outcome }: AppliedProposal): readonly string[] => {
  const evicted = outcome.target === 'skill' ? [] : (outcome.evicted ?? [])
  return evicted.map(({ text }) => `moved to the archive to make room: ${oneLine(text, MAX_REASON_CHARS)}`)
}

const isProposal = (raw: unknown): raw is ReviewProposal => typeof raw === 'object' && raw !== null && 'target' in raw && 'op' in raw

const describeHeld = ({ proposal, reason, held }: RejectedProposal): readonly string[] =>
  held && isProposal(proposal) ? [describeItem('held', proposal, reason)] : []

/** The counts, and a line for each item that was written or held, each once. */
export const describeOutcome = (outcome: ReviewOutcome): readonly string[] => [
  describeCounts(outcome),
  ...new Set([
    ...outcome.applied.map(describeApplied),
    ...outcome.applied.flatMap(describeEvicted),
    ...outcome.rejected.flatMap(describeHeld),
  ]),
]
