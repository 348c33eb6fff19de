/** Counts the turns of a home in its review state, `sessions/.reviews.json`, in one update with what a session saves. Loads no code that no save needs. */
import { type AskedReview, askForReview, type ReviewAsk } from '../nudge/decide-review.ts'
import { newReviewState, REVIEW_STATE_PATH, type ReviewState, reviewStateSchema, type SavedCounts } from '../nudge/review-state.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { withLazy } from '../shared/lazy.ts'
import type { Result } from '../shared/result.ts'
import type { LastPlan } from '../storage/in-transaction.ts'
import { jsonBytes, jsonIn } from '../storage/json-document.ts'
import { orError } from '../storage/one-document.ts'
import type { Cut, UpdateOptions } from '../storage/storage-backend.ts'
import type { SessionHome, StatePlan } from './session-home.ts'

export type CountingHome = Pick<SessionHome, 'storage' | 'clock' | 'options' | 'emit' | 'stopping' | 'isQueued'>

export class HomeCounts {
  protected readonly home: CountingHome

  constructor(home: CountingHome) {
    this.home = home
  }

  /** One update of the review state and of the documents at `paths`. A broken state is moved aside and rebuilt from the session records. */
  async update<T>(
    paths: readonly string[],
    plan: (state: ReviewState, cut: Cut) => StatePlan<T>,
    options?: UpdateOptions,
  ): Promise<Result<T>> {
    const updated = await this.#update(paths, plan, options)
    if (updated.ok || updated.error.code !== 'unreadable' || updated.error.details['path'] !== REVIEW_STATE_PATH) return updated
    this.failed('read reviews', updated.error)
    const rebuilt = await this.rebuild()
    return rebuilt.ok ? this.#update(paths, plan, options) : rebuilt
  }

  /** What the state is once turns are saved and counted, and whether a review is then due. Pure. */
  ask(state: ReviewState, asked: Omit<ReviewAsk, 'intervals' | 'minTurns' | 'limits'> & { readonly minTurns?: number | undefined }) {
    const { intervals, limits, minTurns, keepText } = this.home.options
    // If no text is stored, there is something to read only when a session has just saved and shows it.
    const mayStart = asked.mayStart && (keepText || asked.onlySession !== undefined)
    return askForReview(state, { ...asked, intervals, limits, minTurns: asked.minTurns ?? minTurns, mayStart })
  }

  /** A session alone can be reviewed if no text is stored. */
  onlySession(saved: Pick<SavedCounts, 'id'> | undefined): string | undefined {
    return this.home.options.keepText ? undefined : saved?.id
  }

  /** What the state is once a turn is saved, and whether a review is then due. Pure. */
  askAfterTurn(state: ReviewState, saved: SavedCounts, hostTokens: number, at: number): AskedReview {
    const { isQueued, stopping } = this.home
    // A process that is about to end still says what is due.
    const mayStart = (!stopping.aborted || isQueued) && this.home.options.review.start !== 'manual'
    return this.ask(state, { why: 'turn', saved, hostTokens, onlySession: this.onlySession(saved), at, mayStart, isQueued })
  }

  /** Rebuilds a state that is broken or was removed, as far as the session records tell. */
  protected rebuild(): Promise<Result<void>> {
    return withLazy(
      'The code that rebuilds the review state',
      () => import('./rebuild-reviews.ts'),
      ({ rebuildReviews }) => rebuildReviews(this.home, (operation, error) => this.failed(operation, error)),
    )
  }

  protected failed(operation: string, error: HermesError): void {
    this.home.emit({ type: 'storage-failed', at: this.home.clock(), operation, error })
  }

  #update<T>(paths: readonly string[], plan: (state: ReviewState, cut: Cut) => StatePlan<T>, options?: UpdateOptions): Promise<Result<T>> {
    const last = this.planOf(paths, plan)
    return orError(() => this.home.storage.update(last.paths, last.plan, options))
  }

  /** The update as its paths and its plan. */
  protected planOf<T>(paths: readonly string[], plan: (state: ReviewState, cut: Cut) => StatePlan<T>): LastPlan<T> {
    return {
      paths: [REVIEW_STATE_PATH, ...paths],
      plan: (cut) => {
        const current = jsonIn(cut, REVIEW_STATE_PATH, reviewStateSchema) ?? newReviewState(this.home.clock())
        const { state = current, put, ...rest } = plan(current, cut)
        const changed = state === current ? {} : { [REVIEW_STATE_PATH]: jsonBytes(REVIEW_STATE_PATH, state, reviewStateSchema) }
        return { ...rest, put: { ...put, ...changed } }
      },
    }
  }
}
