/** What `storageConformance` needs of a back end. */
import type { StorageBackend } from '@hermes/core'
import type { KitExtent } from '../kit-extent.ts'

export interface StorageHarness {
  /** Opens the same tree again: another back end on it, as another process would have it. The suite closes it. */
  open(): Promise<StorageBackend>
  /** Removes the tree. Called after all back ends are closed. */
  dispose(): Promise<void>
  /**
   * How child processes open the tree. `module`: URL of an ES module that exports `open(config)`, which resolves to a back end on the same tree. `config`: a JSON
   * value. Required unless the capability `processes` is false.
   */
  readonly openInChild?: { readonly module: string; readonly config: unknown }
}

/** What a back end supports, and how much of the suite runs. Each capability is expected unless it is set to false. */
export interface StorageCapabilities {
  /** Several processes can share the data. */
  readonly processes?: boolean
  readonly extent?: KitExtent
  /** How many writers are killed, one after another (default 30). */
  readonly kills?: number
  /** How many back ends, and then processes, write to one document at once (default 8). */
  readonly writers?: number
  /** How many updates each of them makes (default 50). */
  readonly updates?: number
}

/** Makes a new, empty tree. */
export type CreateStorageHarness = () => Promise<StorageHarness>
