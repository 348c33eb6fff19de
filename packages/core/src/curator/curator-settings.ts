/** What a host or a `config.yaml` says about the curator, together. */

import type { BackupSettings } from './backup/back-up-run.ts'
import type { CuratorSchedule } from './schedule/is-curator-due.ts'
import type { AgeingOptions } from './transitions/ageing-options.ts'

export interface CuratorSettings extends AgeingOptions, CuratorSchedule {
  /** The backup before the first change of a run. */
  readonly backup?: BackupSettings
  /** Merge near-identical and too narrow skills at the end of a run; costs calls of a model. Default false. */
  readonly consolidate?: boolean
}
