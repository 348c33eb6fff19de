/**
 * What a peer implements, in two files: `store.ts` exports `openStore`, and `chat.ts` exports `openChat`. Each is written the way the peer's own documentation
 * says, without tuning. A peer's authors correct their row by correcting these files.
 */

/** The memory of one user, in one folder. Several may be open on the same folder, in one process or in several. */
export interface Store {
  /** Adds one fact; resolves when the peer says that it is stored. */
  write(fact: string): Promise<void>
  /** A tool found this text, and the peer learns of it by itself. Absent: a text from outside becomes a memory only if the agent stores it, which is `write`. */
  learn?(found: string): Promise<void>
  /** All that is stored, as text, in which each fact can be searched. */
  read(): Promise<string>
  /** The text that a new conversation of this user has in its prompt. A peer that keeps its memory behind a tool returns what its first call returns. */
  block(): Promise<string>
  /**
   * Replaces a stored fact, or removes it if `to` is absent, as the agent would; what it returns takes this change back with the peer's own means. Absent: the peer has
   * none.
   */
  change?(fact: string, to?: string): Promise<() => Promise<void>>
  /** The agent adds words in the turn in which this tool gave it them. Absent: the store is not told where words come from, and `write` is all there is. */
  repeat?(words: string, tool: string): Promise<void>
  /** What is stored as text from outside, and is no part of `read`. Default: nothing. */
  outside?(): Promise<string>
  /** The agent writes a skill and puts it to use, as far as it may, in a turn in which it read text from outside; the text of all skills in use. Absent: it learns none. */
  learnSkill?(name: string, instructions: string): Promise<string>
  close(): Promise<void>
}

export type OpenStore = (folder: string) => Promise<Store>

/** Where the model is. */
export interface Host {
  /** Of an API like OpenAI's, without the version: `http://127.0.0.1:4000/run-1`. */
  readonly url: string
  /** Answers instead of the network, if the time of a turn is measured. */
  readonly fetch?: typeof fetch
  readonly instructions: string
  /** The messages of the conversation, for a peer that leaves them to the app; in the shape that its framework uses. */
  readonly history: { load(): readonly unknown[]; save(messages: readonly unknown[]): void }
}

/** A call of a tool, as the model makes it. */
export interface ToolCall {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** One conversation, which may be continued by another process. */
export interface Chat {
  /** The user says something, the model answers, and calls tools in between. */
  turn(text: string): Promise<void>
  /** Resolves when background work is done. Default: there is none. */
  settled?(): Promise<void>
  close(): Promise<void>
}

export interface ChatModule {
  openChat(folder: string, session: string, host: Host): Promise<Chat>
  /** How the model saves a fact with the peer's own tool, given the facts that are known, the new one excluded. Absent: the app saves it in `turn`. */
  saves?(fact: string, known: readonly string[]): readonly ToolCall[]
  /** Calls that the model makes in the first turn, for a memory that is read by a tool. */
  begins?(): readonly ToolCall[]
}

/** The user says this when a fact is to be saved. */
export const REQUEST = 'Please remember this: '
