/** What the suite needs of a back end that changes by transactions. */
import type { StorageBackend } from '../../storage/next/storage-backend.ts'

export interface UpdateHarness {
  /** Opens the same empty tree again: a second back end on it, as another process would have it. */
  open(): Promise<StorageBackend>
  /** Called after each test. */
  dispose(): Promise<void>
}

export type CreateUpdateHarness = () => Promise<UpdateHarness>
