/** The journal's lines about what a person or the host's code writes to the skills, in the same update. Loaded at the first write. */
import type { SkillLog } from '../skills/skill-op.ts'
import type { HostActor } from './host-recorder.ts'
import { toSkillRecord } from './host-writes.ts'
import { prepareRecords, type RecordStamps } from './journal.ts'
import { dayOf, journalPath } from './journal-days.ts'

/** For a write that begins now. */
export const openSkillLog = (given: RecordStamps, actor: HostActor): SkillLog => {
  const at = given.clock()
  const path = journalPath(dayOf(at))
  const stamps = { ...given, clock: () => at }
  return { path, written: (write) => prepareRecords([toSkillRecord(write, actor)], stamps).append[path] ?? new Uint8Array() }
}
