/** What a run writes to `results/peers.json`, from which the page and the charts are made. */

import type { Machine, MeasuredOn } from '../../report.ts'
import type { Kill } from '../figures/kill.ts'
import type { Learning } from '../figures/learning.ts'
import type { Overhead } from '../figures/overhead.ts'
import type { Poisoning } from '../figures/poisoning.ts'
import type { Prefix } from '../figures/prefix.ts'
import type { Start } from '../figures/start.ts'
import type { Undo } from '../figures/undo.ts'
import type { Updates } from '../figures/updates.ts'
import type { Weight } from '../figures/weight.ts'
import type { Many } from '../figures/writes.ts'
import type { Outcomes } from '../harness/context.ts'
import type { Times } from '../harness/numbers.ts'

/** One figure of all peers. */
export interface Measured<T> extends Omit<MeasuredOn, 'machine'> {
  /** Part of the usual number of rounds; 1 = all. */
  readonly share: number
  readonly outcomes: Outcomes<T>
}

export interface FigureTypes {
  readonly prefix: Prefix
  readonly processes: Prefix
  readonly writes: Times
  readonly many: Many
  readonly start: Start
  readonly overhead: Overhead
  readonly updates: Updates
  readonly kill: Kill
  readonly weight: Weight
  readonly poisoning: Poisoning
  readonly undo: Undo
  readonly learning: Learning
}

export interface Results {
  readonly machine: Machine
  /** By peer, then by package. */
  readonly versions: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly figures: { readonly [Name in keyof FigureTypes]?: Measured<FigureTypes[Name]> }
}
