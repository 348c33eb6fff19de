/** How Hermes is put into the configuration of a coding agent, and taken out again. */

/** A file of the agent's configuration. */
export interface FileChange {
  readonly path: string
  /** Undefined if there is no such file. */
  readonly before: string | undefined
  readonly after: string
}

/** A folder that is copied into the agent's configuration. */
export interface FolderCopy {
  readonly from: string
  readonly to: string
}

export interface Setup {
  readonly files: readonly FileChange[]
  readonly folders: readonly FolderCopy[]
}

/** What the agent remembers by itself, or was told by hand. */
export interface Remembered {
  readonly path: string
  /** A model's notes are text from outside. */
  readonly writtenBy: 'hand' | 'model'
  readonly bytes: number
}

export interface HostSetup {
  readonly name: string
  readonly title: string
  /** Whether an end-to-end test runs the real program. */
  readonly isTested: boolean
  /** The folder of the agent's configuration. */
  readonly folder: () => string
  /** What connecting would change. Reads only. Rejects if a file cannot be read or understood. */
  readonly plan: () => Promise<Setup>
  /** The text of a file without what connecting has put there, for a file that was changed since. Throws if it cannot be understood. */
  readonly takeBack: (path: string, text: string) => string
  readonly remembered: () => Promise<readonly Remembered[]>
  /** How the person sees that it works. */
  readonly tryIt: string
}
