/** What a command works with: the storage of the home, its configuration, and the loop over both. */
import type { Clock, ConfigReading, Hermes, Result, StorageBackend } from '@hermes/core'
import type { Terminal } from './terminal/terminal.ts'
import type { World } from './world.ts'

export interface Context {
  readonly world: World
  readonly terminal: Terminal
  /** Absolute. */
  readonly home: string
  readonly storage: StorageBackend
  readonly hermes: Hermes
  /** An error only for commands that run without a configuration. */
  readonly config: Result<ConfigReading>
  readonly clock: Clock
  /** The public surface, loaded late: `--help` does without. */
  readonly core: typeof import('@hermes/core')
  readonly isJson: boolean
  /** For the person, on stderr; nothing with `--json`. */
  readonly say: (text: string) => void
  /** Said on stderr, and in `warnings` of `--json`. */
  readonly warn: (message: string) => void
}
