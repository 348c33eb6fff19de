/** What a back end hands to `storageConformance`. */
import type { StorageBackend } from '../../storage/storage-backend.ts'

export interface StorageHarness {
  /** Another handle on the same tree; the suite closes it. */
  open(): Promise<StorageBackend>
  /** Removes the tree, after every handle was closed. */
  dispose(): Promise<void>
  /**
   * For back ends that several processes may share: the URL of an ES module that exports `open(config)`, which resolves to a handle
   * on the same tree, and the JSON value that it is called with. `false` where one process owns the data.
   */
  readonly processes: false | { readonly module: string; readonly config: unknown }
}

export type CreateStorageHarness = () => Promise<StorageHarness>
