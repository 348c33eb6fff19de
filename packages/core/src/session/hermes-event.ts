/** What happens behind the user's turn, told to `onEvent`. No failure is silent (DESIGN 8, promise 10). */
import type { ReviewOutcome } from '../review/review-outcome.ts'
import type { HermesError } from '../shared/hermes-error.ts'

export type HermesEvent =
  /** `newSession`: frozen just now; otherwise resumed from the session record. */
  | {
      readonly type: 'session-started'
      readonly sessionId: string
      readonly at: number
      readonly newSession: boolean
      readonly chars: number
    }
  | { readonly type: 'review-started'; readonly sessionId: string; readonly at: number; readonly turns: number }
  | { readonly type: 'review-finished'; readonly sessionId: string; readonly at: number; readonly outcome: ReviewOutcome }
  | { readonly type: 'review-failed'; readonly sessionId: string; readonly at: number; readonly error: HermesError }
  /** A part of Hermes could not read or write; the user's turn went on without it. */
  | {
      readonly type: 'storage-failed'
      readonly sessionId: string
      readonly at: number
      readonly operation: string
      readonly error: HermesError
    }

export type HermesEventListener = (event: HermesEvent) => void
