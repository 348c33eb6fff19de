/** Every option of the file system back end, with its default. */
import { MEMORY_PATHS, PROVENANCE_PATH } from '../../storage-paths.ts'

export interface FileSystemBackendOptions {
  /** How long a write waits for another program's lock before it fails with `locked`. Milliseconds; default 10,000. */
  readonly lockTimeoutMs?: number
  /** Told once when only the fallback lock is at hand. Default: `process.emitWarning`, once per process. */
  readonly onWarning?: (message: string) => void
  /** `auto` (default): flock(2), shared with Python Hermes, where the machine has it. `exclusive-file`: lock files only. */
  readonly lock?: 'auto' | 'exclusive-file'
  /**
   * Documents that may be symbolic links to somewhere outside the home, such as a dotfiles repository; so may the folders they lie
   * in. Default: the two memory documents, their provenance and `config.yaml`.
   */
  readonly linkedDocuments?: readonly string[]
}

export const DEFAULT_LOCK_TIMEOUT_MS = 10_000

export const DEFAULT_LINKED_DOCUMENTS: readonly string[] = [MEMORY_PATHS.memory, MEMORY_PATHS.user, PROVENANCE_PATH, 'config.yaml']
