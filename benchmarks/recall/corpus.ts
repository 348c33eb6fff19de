/** Past conversations of one person, and questions about them with the sessions that answer them. */

export interface PastTurn {
  readonly user: string
  readonly assistant: string
  /** Epoch milliseconds. */
  readonly at: number
}

export interface PastSession {
  readonly id: string
  /** A scheduled run: no person was there. */
  readonly automated: boolean
  readonly turns: readonly PastTurn[]
}

/**
 * - `fact`: said once.
 * - `update`: said again with another value; only the newest session counts.
 * - `time`: one of many sessions about a topic, chosen by its date.
 * - `two-hops`: the session that answers names somebody whom another session describes.
 * - `told`: said by the assistant.
 * - `language`: said and asked in German, Spanish or Japanese.
 * The others are the types of LongMemEval.
 */
type QuestionKind = string

/** How a question was worded: with the words that were said, with some of them, or with none but names. */
export type Wording = 'same' | 'partly' | 'other'

export interface Question {
  readonly id: string
  readonly kind: QuestionKind
  readonly text: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly wording?: Wording
  /** Sessions that answer the question: one is enough. */
  readonly evidence: readonly string[]
  /** Sessions with an older value, which must not come before. */
  readonly outdated: readonly string[]
  /** The text of the evidence, to measure words in common: what the user and the assistant said. */
  readonly said: string
}

export interface Corpus {
  readonly sessions: readonly PastSession[]
  readonly questions: readonly Question[]
}

export const countMessages = (sessions: readonly PastSession[]): number => sessions.reduce((sum, { turns }) => sum + 2 * turns.length, 0)
