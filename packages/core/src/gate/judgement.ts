/** What the evidence gate found out about a proposal: its row in the table, and whose words carry it. */
import type { Origin } from '../shared/origin.ts'
import type { EvidenceRowName } from './evidence-table.ts'

export interface Judgement {
  readonly row: EvidenceRowName
  readonly origin: Origin
  /** The messages that carry it, for the reason. */
  readonly messageIds: readonly string[]
}
