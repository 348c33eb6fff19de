/** How Hermes is put into the configuration of a coding agent, and taken out again. */

/** A file of the agent's configuration to which Hermes adds something. */
export interface ConfigFile {
  readonly path: string
  /** What a file that is missing counts as. */
  readonly empty: string
  /** The text with what Hermes needs in it. Throws if the text cannot be understood; the message says what to do. */
  readonly add: (text: string) => string
  /** The text without what `add` has put there, for a file that was changed since. Throws as `add` does. */
  readonly takeBack: (text: string) => string
}

/** A folder that is copied into the agent's configuration. */
export interface FolderCopy {
  readonly from: string
  readonly to: string
}

/** What the agent remembers by itself, or was told by hand. */
export interface Remembered {
  readonly path: string
  /** A model's notes are text from outside. */
  readonly writtenBy: 'hand' | 'model'
  /** True for notes on one project. */
  readonly isOfProject: boolean
  readonly bytes: number
}

export interface HostSetup {
  /** As in `hermes connect <name>`. */
  readonly name: string
  /** As people know it. */
  readonly title: string
  /** The folder of the agent's configuration. */
  readonly folder: () => string
  /** What it remembers by itself. Looks at files and reads none. */
  readonly remembered: () => Promise<readonly Remembered[]>
  /** Whether an end-to-end test runs the real program. */
  readonly isTested: boolean
  readonly files: () => readonly ConfigFile[]
  /** Rejects if this installation has no plugin. */
  readonly folders: () => Promise<readonly FolderCopy[]>
  /** How the person sees that it works. */
  readonly tryIt: string
}
