/** What a command works with: the storage of the home and its configuration. */
import type { Clock, Result, StorageBackend } from '@hermes/core'
import type { ConfigReading } from '@hermes/core/config'
import type { Terminal } from './terminal/terminal.ts'
import type { World } from './world.ts'

export interface Context {
  readonly world: World
  readonly terminal: Terminal
  /** Absolute. */
  readonly home: string
  /** Of the home, or of the owner that was named. */
  readonly storage: StorageBackend
  /** Of the whole folder, with the homes of many people. */
  readonly root: StorageBackend
  /** An error only for commands that run without a configuration. */
  readonly config: Result<ConfigReading>
  readonly clock: Clock
  readonly isJson: boolean
  /** For the person, on stderr; nothing with `--json`. */
  readonly say: (text: string) => void
  /** Said on stderr, and in `warnings` of `--json`. */
  readonly warn: (message: string) => void
}
