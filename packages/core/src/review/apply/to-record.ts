/** The line of the journal for the result of a proposal. Pure. */
import type { Verdict } from '../../gate/review-gate.ts'
import type { JournalRecordInput } from '../../journal/journal.ts'
import type { JournalRecord } from '../../journal/journal-record.ts'
import type { ReviewProposal } from '../../proposal/review-proposal.ts'
import type { HermesError } from '../../shared/hermes-error.ts'
import type { WritableMemory } from './ask-gate.ts'
import type { DisposalOptions } from './disposal-options.ts'

/** Result of a proposal, as recorded in the journal. */
export type RecordedResult = Pick<JournalRecord, 'kind' | 'reason'> &
  Partial<Pick<JournalRecord, 'previous' | 'facts' | 'evicted' | 'pendingId' | 'raw' | 'evaluation' | 'repairs'>> & {
    readonly error?: HermesError
  }

const describeProposal = ({ target, op, rationale, score, evidence }: ReviewProposal): Partial<JournalRecordInput> => ({
  target,
  op,
  score,
  ...(rationale === '' ? {} : { rationale }),
  ...(evidence && evidence.length > 0 ? { evidence: evidence.map(({ messageId, quote }) => ({ messageId, quote })) } : {}),
})

export const projectOf = (
  target: ReviewProposal['target'],
  { project }: Pick<WritableMemory, 'project'> = {},
): { readonly project?: string } => (project === undefined || target === 'memory' || target === 'user' ? {} : { project })

export const toRecord = (
  {
    sessionId,
    reviewId,
    actor = 'review',
    pass,
    model: modelOf,
    spent,
    store,
  }: Pick<DisposalOptions, 'sessionId' | 'reviewId' | 'actor' | 'pass' | 'model' | 'spent'> & {
    readonly store?: Pick<WritableMemory, 'project'>
  },
  { error, ...recorded }: RecordedResult,
  proposal?: ReviewProposal,
  verdict?: Verdict,
): JournalRecordInput => {
  const cost = spent?.()
  const model = proposal?.target === 'skill' ? modelOf?.() : undefined
  return {
    actor,
    ...recorded,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(reviewId === undefined ? {} : { review: reviewId }),
    ...(pass === undefined ? {} : { pass }),
    ...(proposal ? describeProposal(proposal) : {}),
    ...(proposal ? projectOf(proposal.target, store) : {}),
    ...(verdict?.origin === undefined ? {} : { origin: verdict.origin }),
    ...(model === undefined ? {} : { model }),
    ...(cost ? { cost } : {}),
    ...(error ? { error: { code: error.code, message: error.message } } : {}),
  }
}
