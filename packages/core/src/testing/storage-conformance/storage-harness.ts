/** What `storageConformance` needs of a back end. */
import type { StorageBackend } from '../../storage/storage-backend.ts'

export interface StorageHarness {
  /** Opens another handle on the same tree; the suite closes it. */
  open(): Promise<StorageBackend>
  /** Removes the tree. Called after all handles are closed. */
  dispose(): Promise<void>
  /**
   * `module`: URL of an ES module that exports `open(config)`, which resolves to a handle on the same tree. `config`: a JSON value. Required unless the capability
   * `processes` is false.
   */
  readonly processes?: { readonly module: string; readonly config: unknown }
}

/** What a back end supports. Each capability is expected unless it is set to false. */
export interface StorageCapabilities {
  /** Several processes can share the data. */
  readonly processes?: boolean
}

export type CreateStorageHarness = () => Promise<StorageHarness>
