/** Records writes outside the loop. A journal error does not undo the write: `onFailure` is called. */
import type { MemoryWrite } from '../memory/memory-write.ts'
import type { PinnedEntry } from '../memory/pin-entry.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, type Result } from '../shared/result.ts'
import type { SkillWrite } from '../skills/skill-write.ts'
import { type HostActor, toMemoryRecords, toPinRecord, toSkillRecord } from './host-writes.ts'
import type { Journal, JournalRecordInput } from './journal.ts'

export interface HostRecorder {
  readonly record: (records: readonly JournalRecordInput[]) => Promise<void>
  readonly onMemoryWrite: (write: MemoryWrite) => Promise<void>
  readonly onMemoryPin: (pinned: PinnedEntry) => Promise<void>
  readonly onSkillWrite: (write: SkillWrite) => Promise<void>
}

export const recordHostWrites = (
  journal: Pick<Journal, 'append'>,
  actor: HostActor,
  onFailure: (error: HermesError, operation: string) => void,
): HostRecorder => {
  const record = async (records: readonly JournalRecordInput[]): Promise<void> => {
    let written: Result<unknown>
    try {
      written = await journal.append(records)
    } catch (cause) {
      written = err(new HermesError('io', `The journal could not be written: ${String(cause)}`, { cause }))
    }
    if (!written.ok) onFailure(written.error, 'journal')
  }
  return {
    record,
    onMemoryWrite: (write) => record(toMemoryRecords(write, actor)),
    onMemoryPin: (pinned) => record([toPinRecord(pinned, actor)]),
    onSkillWrite: (write) => record([toSkillRecord(write, actor)]),
  }
}
