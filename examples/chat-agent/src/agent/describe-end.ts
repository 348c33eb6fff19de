/** The end of a conversation in words: that learning is under way, and why nothing was learned; what was learned is told as for every review. */
import type { HermesEvent, ReviewRun } from '@hermes/core'
import { counted } from '../terminal/counted.ts'
import type { ReviewStart } from './review-watch.ts'

type WaitReason = Extract<HermesEvent, { readonly type: 'review-waits' }>['reason']

const WAIT_REASONS: Readonly<Record<WaitReason, string>> = {
  budget: 'learning has used its share of tokens',
  'tokens-per-day': 'learning has used its tokens of today',
  breaker: 'the last reviews failed',
}

export const describeWait = (reason: WaitReason): string =>
  `· the review waits: ${WAIT_REASONS[reason]}; what was said stays unread until then`

/** While the review runs. */
export const describeLearning = ({ turns }: ReviewStart): string =>
  `· Learning${turns === 0 ? '' : ` from ${counted(turns, 'turn')}`} … Ctrl-C skips.`

/** Undefined where nothing needs telling, or an event tells it. */
export const describeEnd = (run: ReviewRun | undefined): string | undefined => {
  if (run?.kind === 'busy') return '· another review of this home is under way: it or the next one reads what was said here'
  return run?.kind === 'waits' ? describeWait(run.reason) : undefined
}
