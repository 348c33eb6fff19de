/** What `createHermes` and `createHermesHomes` open: a home with the parts that its users do not see. */
import type { Hermes } from './hermes.ts'
import type { HomeIdentity } from './homes/home-identity.ts'
import type { ReviewClaim } from './queue/review-queue.ts'
import type { WorkDone } from './queue/run-worker.ts'
import type { TendedHome } from './session/tidy-home.ts'
import type { ReviewWork } from './session/work-review.ts'
import type { StorageBackend } from './storage/storage-backend.ts'

/** The storage and identity of one home. */
export interface HomeParts {
  /** Closed together with the home. */
  readonly storage: StorageBackend
  readonly identity: HomeIdentity
}

export interface OpenedHermes {
  readonly hermes: Hermes
  /** True if nothing is unsaved and no work is running. */
  readonly idle: boolean
  /** Releases what an unused home holds open: its memory provider, until it is used again. */
  release(): void
  /** Cancels running work. Afterwards no session stores or shows anything. */
  forgetAll(): Promise<void>
  /** Upkeep that does not depend on a turn. Never rejects; failures are events. */
  upkeep(signal: AbortSignal): Promise<TendedHome>
  /** Runs a review that a worker has claimed. */
  workOn(claim: ReviewClaim, signal: AbortSignal): Promise<WorkDone<ReviewWork>>
}
