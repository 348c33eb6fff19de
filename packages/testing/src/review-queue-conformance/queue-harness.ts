/** What `reviewQueueConformance` needs of a queue. */
import type { ReviewQueue } from '@hermes/core/queue'
import type { KitExtent } from '../kit-extent.ts'

export interface ReviewQueueHarness {
  /** Opens another handle on the same queue, as another process would. The suite closes the handle. */
  open(): Promise<ReviewQueue>
  /** The time that counts, in epoch milliseconds. */
  now(): number
  /** Lets time pass: moves the clock that the handles share, or waits for it. */
  pass(ms: number): Promise<void>
  /** Removes the queue. Called after all handles are closed. */
  dispose(): Promise<void>
  /**
   * `module`: URL of an ES module that exports `open(config)`, which resolves to a handle on the same queue by the system clock. `config`: a JSON value. Required unless
   * the capability `processes` is false.
   */
  readonly processes?: { readonly module: string; readonly config: unknown }
}

/** What a queue supports, and how much of the suite runs. Each capability is expected unless it is set to false. */
export interface ReviewQueueCapabilities {
  /** Several processes can share the queue. */
  readonly processes?: boolean
  readonly extent?: KitExtent
  /** How many handles or processes claim at once (default 8). Half of the processes are killed. */
  readonly claimers?: number
}

export type CreateReviewQueueHarness = () => Promise<ReviewQueueHarness>
