/** What a command works with: the storage of the home, its configuration and the output. */
import type { Clock, Result, StorageBackend } from '@hermes/core'
import type { ConfigReading } from '@hermes/core/config'
import type { OwnerId } from '@hermes/core/portability'
import type { Progress } from './terminal/progress.ts'
import type { Terminal } from './terminal/terminal.ts'
import type { World } from './world.ts'

export interface Context {
  readonly world: World
  readonly terminal: Terminal
  /** The only one: two writers would overwrite each other. */
  readonly progress: Progress
  /** Absolute path. */
  readonly home: string
  /** Storage of the home, or of the owner that was named. */
  readonly storage: StorageBackend
  /** The owner that was named; undefined for the home of a single person. */
  readonly owner: OwnerId | undefined
  /** Whose notes are the store `project`; undefined if the command names none. */
  readonly project?: string | undefined
  /** Storage of the whole folder, which may hold the homes of several owners. */
  readonly root: StorageBackend
  /** An error only for commands that also run without a configuration. */
  readonly config: Result<ConfigReading>
  readonly clock: Clock
  readonly isJson: boolean
  /** Writes to stderr; does nothing with `--json`. */
  readonly say: (text: string) => void
  /** Writes to stderr, and to `warnings` with `--json`. */
  readonly warn: (message: string) => void
  /** Runs the task after the command, before the home is closed. */
  readonly atEnd: (task: () => Promise<void>) => void
}
