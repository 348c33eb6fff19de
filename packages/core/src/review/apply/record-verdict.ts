/** Records the results of proposals in the journal. What cannot be recorded here is told to `onFailure`; over a transaction both are written in the end, or neither. */
import type { Verdict } from '../../gate/review-gate.ts'
import type { JournalRecordInput } from '../../journal/journal.ts'
import type { JournalRecord } from '../../journal/journal-record.ts'
import type { ReviewProposal } from '../../proposal/review-proposal.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import type { Result } from '../../shared/result.ts'
import type { DisposeDeps } from './dispose-deps.ts'

/** Result of one proposal, as recorded in the journal. */
export type RecordedResult = Pick<JournalRecord, 'kind' | 'reason'> &
  Partial<Pick<JournalRecord, 'previous' | 'facts' | 'evicted' | 'pendingId' | 'raw'>> & { readonly error?: HermesError }

/** Awaits a side effect whose failure must not fail the caller. */
export const guarded = async <T>(
  deps: Pick<DisposeDeps, 'onFailure'>,
  operation: string,
  effect: () => Promise<Result<T>>,
): Promise<T | undefined> => {
  let failure: HermesError
  try {
    const result = await effect()
    if (result.ok) return result.value
    failure = result.error
  } catch (cause) {
    failure = new HermesError('io', `The ${operation} could not be written: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
  }
  deps.onFailure?.(failure, operation)
  return undefined
}

const describeProposal = ({ target, op, rationale, score, evidence }: ReviewProposal): Partial<JournalRecordInput> => ({
  target,
  op,
  score,
  ...(rationale === '' ? {} : { rationale }),
  ...(evidence && evidence.length > 0 ? { evidence: evidence.map(({ messageId, quote }) => ({ messageId, quote })) } : {}),
})

export const toRecord = (
  { sessionId, reviewId, actor = 'review', pass, model: modelOf }: Pick<DisposeDeps, 'sessionId' | 'reviewId' | 'actor' | 'pass' | 'model'>,
  { error, ...recorded }: RecordedResult,
  proposal?: ReviewProposal,
  verdict?: Verdict,
): JournalRecordInput => {
  const model = proposal?.target === 'skill' ? modelOf?.() : undefined
  return {
    actor,
    ...recorded,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(reviewId === undefined ? {} : { review: reviewId }),
    ...(pass === undefined ? {} : { pass }),
    ...(proposal ? describeProposal(proposal) : {}),
    ...(verdict?.origin === undefined ? {} : { origin: verdict.origin }),
    ...(model === undefined ? {} : { model }),
    ...(error ? { error: { code: error.code, message: error.message } } : {}),
  }
}

export const appendRecords = async (deps: DisposeDeps, records: readonly JournalRecordInput[]): Promise<void> => {
  const { journal } = deps
  if (journal && records.length > 0) await guarded(deps, 'journal', () => journal.append(records))
}
