/** Records of writes by a person or the host's code outside the loop: through the stores, and by the curator's verbs. */

import type { PinnedEntry } from '../memory/change-facts.ts'
import { ORIGIN_WORDS } from '../memory/describe-change.ts'
import type { EvictedEntry } from '../memory/memory-op.ts'
import type { MemoryWrite } from '../memory/memory-store-options.ts'
import { toShownText } from '../skills/read-skill.ts'
import type { SkillWrite } from '../skills/skill-op.ts'
import type { HostActor } from './host-recorder.ts'
import type { JournalRecordInput } from './journal.ts'
import type { JournalUpkeep } from './journal-record.ts'

/** Of a write that names no source. */
const DEFAULT_ORIGINS = { host: 'host', person: 'user' } as const

const WHO = { host: "The host's code", person: 'A person' } as const

/** One record for each operation. */
export const toMemoryRecords = (
  { target, project, ops, outcome, changes, source, restoredFrom }: MemoryWrite,
  actor: HostActor,
): readonly JournalRecordInput[] => {
  const taken = [...outcome.previous]
  // Not for an entry that was in the store again already.
  const restored = restoredFrom === undefined || changes.added.length === 0 ? {} : { restoredFrom }
  const as = source && source.origin !== DEFAULT_ORIGINS[actor] ? `, as ${ORIGIN_WORDS[source.origin]}` : ''
  const own =
    restoredFrom === undefined
      ? `${WHO[actor]} wrote it${as}.`
      : 'restoredFrom' in restored
        ? `${WHO[actor]} restored it from the archive, where it was '${restoredFrom}'.`
        : `${WHO[actor]} restored '${restoredFrom}' of the archive, but it was in the store already.`
  return ops.map((op, index) => {
    const previous = op.action === 'add' ? [] : taken.splice(0, 1)
    const facts = outcome.facts?.[index]
    const { previous: former, content } = facts ?? {}
    const isRaised = op.action === 'add' && former && content && former.origin !== content.origin
    const raised = isRaised ? ` It now counts as ${ORIGIN_WORDS[content.origin]}.` : ''
    return {
      actor,
      kind: 'applied',
      reason: `${source?.reason ?? own}${raised}`,
      target,
      ...(project === undefined ? {} : { project }),
      op,
      ...(source ? { origin: source.origin } : {}),
      ...(source?.sessionId === undefined ? {} : { sessionId: source.sessionId }),
      ...(previous.length > 0 ? { previous } : {}),
      ...(facts ? { facts } : {}),
      ...restored,
      ...(index === 0 ? evictedBy(outcome.evicted) : {}),
    }
  })
}

/** For the first record of a write. */
export const evictedBy = (evicted: readonly EvictedEntry[] | undefined): Pick<JournalRecordInput, 'evicted'> =>
  evicted ? { evicted: [...evicted] } : {}

/** The text of an upkeep record says what was done; its fields say to what. */
export const toUpkeepRecord = (upkeep: JournalUpkeep, reason: string, actor: HostActor): JournalRecordInput => ({
  actor,
  kind: 'applied',
  reason,
  target: 'skill',
  upkeep,
})

export const toPinRecord = ({ target, project, entry, pinned }: PinnedEntry, actor: HostActor): JournalRecordInput => ({
  actor,
  kind: 'applied',
  reason: `${WHO[actor]} ${pinned ? 'pinned' : 'unpinned'} it.`,
  target,
  ...(project === undefined ? {} : { project }),
  upkeep: { action: pinned ? 'pin' : 'unpin', subject: entry },
})

export const toSkillRecord = (write: SkillWrite, actor: HostActor): JournalRecordInput => {
  const applied = { actor, kind: 'applied', target: 'skill' } as const
  if (write.kind === 'changed') {
    const previous = write.before === undefined ? {} : { previous: [toShownText(write.before)] }
    return { ...applied, reason: `${WHO[actor]} wrote it.`, op: write.op, ...previous }
  }
  if (write.kind === 'archived') {
    const { name, reason, absorbedInto } = write.archived
    return {
      ...applied,
      reason: reason ?? `${WHO[actor]} archived it.`,
      op: { action: 'archive', name, ...(absorbedInto === undefined ? {} : { absorbedInto }) },
    }
  }
  const { skill, archived } = write.restored
  const upkeep = { action: 'restore', subject: skill.name, before: archived.id, after: skill.path } as const
  return toUpkeepRecord(upkeep, `The skill '${skill.name}' was restored from the archive, where it was '${archived.id}'.`, actor)
}
