/** What was said, with an id and an origin for each message: what a reviewer reads and what evidence is checked against (DESIGN 5). */
import type { Origin } from '../shared/origin.ts'

export interface TranscriptMessage {
  /** `m1`, `m2`, … in order. */
  readonly id: string
  readonly role: 'user' | 'assistant' | 'tool'
  readonly origin: Origin
  readonly text: string
}

export type Transcript = readonly TranscriptMessage[]
