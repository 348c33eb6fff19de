/** What disposing of a proposal for a skill needs beside the rest. */
import type { Clock } from '../../shared/clock.ts'
import type { SkillReader } from '../../skills/skill-reader.ts'
import type { SkillStore } from '../../skills/skill-store.ts'
import type { StorageBackend } from '../../storage/storage-backend.ts'
import type { UsageStore } from '../../usage/usage-store.ts'

export interface SkillDisposal {
  /** What is written, and read for it: the skills of the home. */
  readonly store: SkillStore
  /** What the agent sees: those skills, and shared ones behind them. Default: `store`. */
  readonly reader?: SkillReader
  readonly usage: UsageStore
  /** Where the marks lie that say which skills came with the product, from a hub, or were handed over. */
  readonly storage: StorageBackend
  /** Tells which grants of a person still hold. Default: the machine's time. */
  readonly clock?: Clock
  /**
   * An unattended review may only change what it was shown in full: document path (such as `skills/devops/deploy/SKILL.md`) → version shown.
   * Undefined: not checked, for calls in front of the user.
   */
  readonly shown?: ReadonlyMap<string, string>
  /** Names of the skills that the session under review had loaded. Default: none. */
  readonly loaded?: ReadonlySet<string>
  /** Hears of each file that was written, and which version it has now: its writer knows that text as if it had been shown. */
  readonly onWritten?: (path: string, version: string) => void
}
