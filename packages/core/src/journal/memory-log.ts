/** The journal's lines about writes by a person or the host's code to a memory store, in the same update. Loaded at the first write. */
import type { MemoryLog } from '../memory/memory-store-options.ts'
import type { HostActor } from './host-recorder.ts'
import { toMemoryRecords, toPinRecord } from './host-writes.ts'
import { type JournalRecordInput, prepareRecords, type RecordStamps } from './journal.ts'
import { dayOf, journalPath } from './journal-days.ts'

/** For a write that begins now. */
export const openMemoryLog = (stamps: RecordStamps, actor: HostActor): MemoryLog => {
  const at = stamps.clock()
  const path = journalPath(dayOf(at))
  const encode = (inputs: readonly JournalRecordInput[]): Uint8Array =>
    prepareRecords(inputs, { ...stamps, clock: () => at }).append[path] ?? new Uint8Array()
  return {
    path,
    written: (write) => encode(toMemoryRecords(write, actor)),
    pinned: (pinned) => encode([toPinRecord(pinned, actor)]),
  }
}
