/** What a back end hands to `storageConformance`. */
import type { StorageBackend } from '../../storage/storage-backend.ts'

export interface StorageHarness {
  /** Another handle on the same tree; the suite closes it. */
  open(): Promise<StorageBackend>
  /** Removes the tree, after every handle was closed. */
  dispose(): Promise<void>
  /**
   * The URL of an ES module that exports `open(config)`, which resolves to a handle on the same tree, and the JSON value that it is
   * called with. Left out only where one process owns the data, which the suite is told by `{ processes: false }`.
   */
  readonly processes?: { readonly module: string; readonly config: unknown }
}

/** What a back end legitimately lacks; everything is expected unless it is named here. */
export interface StorageCapabilities {
  /** Several processes may share the data. */
  readonly processes?: boolean
}

export type CreateStorageHarness = () => Promise<StorageHarness>
