/** A review that holds the lease of its home: whether it may still write, and how it ends. */
import { endReview, LEASE_MS, type ReviewFate, renewReview } from '../nudge/review-lease.ts'
import type { ReviewState, SessionReading } from '../nudge/review-state.ts'
import type { ReadMarks } from '../nudge/turn-counts.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { MayWrite } from '../storage/fenced-backend.ts'
import type { DueReview } from './due-review.ts'
import type { ReviewStateStore } from './review-state-store.ts'

export interface EndedReview {
  /** Set if this failure paused learning: no review starts automatically until `until` (epoch milliseconds). */
  readonly paused?: { readonly failures: number; readonly until: number }
}

export interface BegunReview {
  readonly due: DueReview
  /** Resolves with the end of the lease, renewed if it has expired. An error if another review has taken over or another process cancelled this one. */
  mayWrite: MayWrite
  /** Extends the lease by a minute. */
  renew(): Promise<Result<void>>
  /** Releases the lease. Fate `read`: its turns now count as read, and no other review reads them. An error if another review has taken over. */
  end(fate: ReviewFate, tokens: number): Promise<Result<EndedReview>>
}

const superseded = (): HermesError =>
  new HermesError(
    'superseded',
    'This review has lost its lease: it was not renewed for a minute and another review took over, or it was cancelled. It writes nothing more.',
  )

export interface BegunReviewDeps {
  readonly state: ReviewStateStore
  readonly clock: Clock
  /** Removes the text that the review has read from these sessions. */
  readonly clear: (readings: readonly SessionReading[]) => Promise<void>
}

/** `readTo`: for each session, how far the review reads. */
export const begunReview = (
  due: DueReview,
  readTo: ReadonlyMap<string, ReadMarks>,
  { state, clock, clear }: BegunReviewDeps,
): BegunReview => {
  const { fence } = due
  const renew = async (at: number): Promise<Result<void>> => {
    let isOurs = false
    const renewed = await state.update((current) => {
      const next = renewReview(current, fence, at)
      isOurs = next !== undefined
      return next
    })
    return renewed.ok && !isOurs ? err(superseded()) : renewed
  }
  return {
    due,
    async mayWrite() {
      const found = await state.readReview()
      if (!found.ok) return found
      const { value: lease } = found
      if (lease?.fence === fence && clock() <= lease.until) return ok({ until: lease.until })
      const at = clock()
      const renewed = await renew(at)
      return renewed.ok ? ok({ until: at + LEASE_MS }) : renewed
    },
    renew: () => renew(clock()),
    async end(fate, tokens) {
      let over: ReviewState | undefined
      const at = clock()
      const ended = await state.update((current) => {
        over = endReview(current, { fence, fate, readTo, tokens, at })
        return over
      })
      if (!ended.ok) return ended
      const after = over as ReviewState | undefined
      if (after === undefined) return err(superseded())
      if (fate === 'read') await clear(after.sessions.filter(({ id }) => readTo.has(id)))
      const { failures, pausedUntil: until } = after
      return ok(fate === 'failed' && until !== undefined ? { paused: { failures, until } } : {})
    },
  }
}
