/** The messages of a conversation with ids and origins: read by a reviewer, and used to verify evidence (DESIGN 5). */
import type { Origin } from '../shared/origin.ts'

export interface TranscriptMessage {
  /** `m1`, `m2`, … in order. */
  readonly id: string
  readonly role: 'user' | 'assistant' | 'tool'
  readonly origin: Origin
  readonly text: string
}

export type Transcript = readonly TranscriptMessage[]
