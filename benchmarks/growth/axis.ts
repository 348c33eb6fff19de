/** What grows, and what is measured while it does. */
import type { CountedStorage } from './counted-storage.ts'

/** How often an operation is measured. */
export const ROUNDS = 9

/** `act` is measured in each round; `round` counts them from 0. */
export interface Operation {
  readonly name: string
  readonly act: (round: number) => Promise<unknown>
}

export interface Prepared extends Pick<CountedStorage, 'takeUsage'> {
  readonly operations: readonly Operation[]
  readonly close: () => Promise<void>
}

export interface Axis {
  /** In the plural. */
  readonly name: string
  readonly sizes: readonly number[]
  readonly prepare: (size: number) => Promise<Prepared>
}
