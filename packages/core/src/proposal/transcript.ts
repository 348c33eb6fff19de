/** The messages of a conversation with ids and origins: read by a reviewer, and used to verify evidence (DESIGN 5). */
import type { Origin } from '../shared/origin.ts'

export interface TranscriptMessage {
  /** `m1`, `m2`, … in order. */
  readonly id: string
  readonly role: 'user' | 'assistant' | 'tool'
  readonly origin: Origin
  readonly text: string
  /** When its turn was said, in epoch milliseconds; 0 if nobody knows. Undefined: about now. */
  readonly at?: number | undefined
}

export type Transcript = readonly TranscriptMessage[]
