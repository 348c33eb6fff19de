/** Opens the queue of reviews in a process of its own. */
import type { ReviewQueue } from '@hermes/core/queue'
import { sqliteReviewQueue } from '../../src/sqlite-review-queue.ts'

export const open = async ({ file }: { readonly file: string }): Promise<ReviewQueue> => sqliteReviewQueue(file, { timeoutMs: 60_000 })
