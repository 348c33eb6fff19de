/** An index over past sessions that can be measured: ours or a baseline. */
import type { PastSession, Question } from './corpus.ts'

export interface RecallSubject {
  readonly name: string
  /** Opens an empty index. */
  open(): Promise<OpenRecall>
  /** Ends what all of its indexes share. */
  end(): Promise<void>
}

export interface OpenRecall {
  add(sessions: readonly PastSession[]): Promise<void>
  /** Resolves when all that was added is found by meaning too; at once for an index of words. */
  ready(): Promise<void>
  /** Ids of at most `limit` sessions, the best first, each once. */
  search(question: Pick<Question, 'text' | 'at'>, limit: number): Promise<readonly string[]>
  /** The texts that the model would be shown with this message of the user, without being asked for. */
  prefetch(question: Pick<Question, 'text' | 'at'>): Promise<readonly RecalledText[]>
  /** What the index occupies, in bytes. */
  size(): Promise<number>
  /** Closes the index and erases it. */
  close(): Promise<void>
}

export interface RecalledText {
  readonly text: string
  /** The session that it is from. Undefined if the text does not say so. */
  readonly sessionId?: string
}

/** As `memory.recallChars`. */
export const PREFETCH_CHARS = 1_600
