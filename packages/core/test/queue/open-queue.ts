/** Opens the queue of a folder, in a child process of the conformance suite. */

import type { ReviewQueue } from '../../src/queue/review-queue.ts'
import { storageReviewQueue } from '../../src/queue/storage-review-queue.ts'
import { fileSystemBackend } from '../../src/storage/files/index.ts'

export const open = async ({ home }: { readonly home: string }): Promise<ReviewQueue> =>
  storageReviewQueue({ storage: fileSystemBackend(home) })
