/** A review in words: that it is under way, what became of its proposals, and why there was none. */

import type { HermesEvent, ReviewOutcome, ReviewProposal, ReviewRun } from '@hermes/core'
import type { AppliedProposal } from '@hermes/core/review'
import type { SkillOpOutcome } from '@hermes/core/skills'
import { counted, oneLine } from '@hermes/example-chat-parts/text'
import { describeOp } from './describe-op.ts'

export type ReviewStart = Extract<HermesEvent, { readonly type: 'review-started' }>

const MAX_QUOTE_CHARS = 120

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

/** The same for a review that a person asked for. */
export const describeRequest = (run: ReviewRun | undefined): string | undefined =>
  run?.kind === 'nothing-due' ? '· nothing to review: every turn has been read, or reviews of memory are off' : describeEnd(run)

/** `review after 10 turns and 12 tool steps`. */
export const describeStart = (start: ReviewStart | undefined): string => {
  if (start === undefined) return 'review'
  const reasons = [
    ...(start.reviews === 'skills' ? [] : [counted(start.turns, 'turn')]),
    ...(start.reviews === 'memory' ? [] : [counted(start.iterations, 'tool step')]),
  ]
  return `review after ${reasons.join(' and ')}`
}

/** `2 learned, 1 held for you`; `nothing new` if there was nothing. */
const describeCounts = ({ applied, held, rejected, failed }: ReviewOutcome): string => {
  const counts = { learned: applied.length, 'held for you': held.length, rejected: rejected.length, failed: failed.length }
  const named = Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]))
  return named.length === 0 ? 'nothing new' : named.join(', ')
}

/** Without the numbers of messages, which nobody can look up here. */
export const plainReason = (reason: string): string => oneLine(reason).replace(/ \(see m\d+(?:, m\d+)*\)/g, '')

/** An item, and below it why, and what a person can do about it. */
const item = (what: string, why: string, choice = ''): string =>
  [oneLine(what), `  ${plainReason(why)}`, ...(choice === '' ? [] : [`  ${choice}`])].join('\n')

const SPEAKERS = {
  user: 'you said',
  host: 'from this program',
  assistant: 'from this conversation',
  tool: 'from outside, kept as data',
} as const

const whyApplied = ({ proposal, verdict }: AppliedProposal): string => {
  const quote = proposal.evidence?.at(-1)?.quote
  return quote === undefined || verdict.origin === undefined
    ? verdict.reason
    : `${SPEAKERS[verdict.origin]}: “${oneLine(quote, MAX_QUOTE_CHARS)}”`
}

const describeSkill = ({ action, name, filePath }: SkillOpOutcome): string => {
  if (action === 'create') return `learned a skill: ${name}`
  if (action === 'write_file') return `added ${filePath} to the skill ${name}`
  if (action === 'remove_file') return `removed ${filePath} from the skill ${name}`
  return action === 'archive' ? `archived the skill ${name}` : `improved the skill ${name}`
}

const describeWritten = ({ proposal: { op }, outcome }: AppliedProposal): string => {
  if (outcome.target === 'skill') return describeSkill(outcome)
  const previous = outcome.previous.join('; ')
  if (op.action === 'add') return `learned: ${op.content}`
  if (op.action === 'replace') return `replaced: ${previous || op.oldText} → ${op.content}`
  return op.action === 'remove' ? `removed: ${previous || op.oldText}` : op.action
}

const describeEvicted = ({ outcome }: AppliedProposal): readonly string[] => {
  const evicted = outcome.target === 'skill' ? [] : (outcome.evicted ?? [])
  return evicted.map(({ text }) => oneLine(`moved to the archive to make room: ${text}`))
}

const isProposal = (raw: unknown): raw is ReviewProposal => typeof raw === 'object' && raw !== null && 'target' in raw && 'op' in raw

const nameOf = (proposal: unknown): string => (isProposal(proposal) ? describeOp(proposal.target, proposal.op) : 'an invalid proposal')

/** Enough to name what waits. */
export const shortId = (id: string): string => id.slice(0, 8)

/** How a person decides what waits. `id`: undefined if the queue could not be written. */
export const describeChoice = (id: string | undefined): string =>
  id === undefined ? '' : `/approve ${shortId(id)} or /reject ${shortId(id)}`

/** The counts, and each item with its reason, once. */
export const describeOutcome = (outcome: ReviewOutcome): readonly string[] => [
  describeCounts(outcome),
  ...new Set([
    ...outcome.applied.map((applied) => item(describeWritten(applied), whyApplied(applied))),
    ...outcome.applied.flatMap(describeEvicted),
    ...outcome.held.map(({ proposal, reason, pendingId }) => item(`held: ${nameOf(proposal)}`, reason, describeChoice(pendingId))),
    ...outcome.rejected.map(({ proposal, reason }) => item(`rejected: ${nameOf(proposal)}`, reason)),
    ...outcome.failed.map(({ proposal, error }) => item(`failed: ${nameOf(proposal)}`, error.message)),
  ]),
]
