/** What is said in which session, and what is asked about it. */
import type { Question } from './corpus.ts'
import type { Exchange } from './filler.ts'

/** An exchange that goes into a session. */
export interface Planted {
  readonly session: number
  readonly exchange: Exchange
  /** How the conversation goes on. */
  readonly after?: Exchange
}

export interface Plan {
  readonly planted: readonly Planted[]
  readonly questions: readonly Question[]
}
