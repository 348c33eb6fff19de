/** What a home has learned, day by day, as a person reads it: from whose words, what it replaced, and what was taken back or forgotten. Pure. */
import { timeOf } from '../memory/entry-time.ts'
import type { EntryTime } from '../memory/memory-op.ts'
import { SKILL_FILE } from '../storage/storage-paths.ts'
import { dayOf } from './journal-days.ts'
import { type JournalRecord, onlyConfirmed } from './journal-record.ts'

export type TimelineEvent = 'learned' | 'changed' | 'removed' | 'made-room' | 'restored' | 'archived' | 'waits' | 'forgotten'

export interface TimelineItem
  extends Pick<JournalRecord, 'id' | 'at' | 'actor' | 'target' | 'origin' | 'sessionId' | 'project' | 'reason'>,
    EntryTime {
  readonly event: TimelineEvent
  /** The entry as it is afterwards, or the name of a skill. */
  readonly text: string
  /** The entry that it replaced. */
  readonly before?: string
  /** The file of a skill, if it is not its SKILL.md. */
  readonly filePath?: string
  /** What was quoted for it. */
  readonly quotes: readonly string[]
  /** Python Hermes recorded it. */
  readonly python?: true
  /** The id of the record that took it back. */
  readonly takenBackBy?: string
}

export interface TimelineDay {
  /** Such as `2026-11-24`, in UTC. */
  readonly day: string
  readonly items: readonly TimelineItem[]
}

/** What Python Hermes calls a change that does more than change a file. */
const PYTHON_EVENTS: ReadonlyMap<string, TimelineEvent> = new Map([
  ['create', 'learned'],
  ['delete', 'removed'],
  ['purge', 'removed'],
  ['archive', 'archived'],
  ['restore', 'restored'],
])

type Told = Pick<TimelineItem, 'event' | 'text'> & Partial<Pick<TimelineItem, 'before' | 'filePath' | 'python' | 'from' | 'until'>>

const ofOp = ({ op, previous, restoredFrom }: JournalRecord): Told | undefined => {
  if (!op) return undefined
  const [before] = previous ?? []
  switch (op.action) {
    case 'add':
      return { event: restoredFrom === undefined ? 'learned' : 'restored', text: op.content, ...timeOf(op) }
    case 'replace':
      return { event: 'changed', text: op.content, before: before ?? op.oldText, ...timeOf(op) }
    case 'remove':
      return { event: 'removed', text: before ?? op.oldText }
    case 'create':
      return { event: 'learned', text: op.name }
    case 'archive':
      return { event: 'archived', text: op.name }
    case 'write_file':
    case 'remove_file':
      return { event: 'changed', text: op.name, filePath: op.filePath }
    default:
      return { event: 'changed', text: op.name, ...('filePath' in op && op.filePath !== undefined ? { filePath: op.filePath } : {}) }
  }
}

const ofUpkeep = ({ upkeep, reason }: JournalRecord): Told | undefined => {
  if (upkeep?.action === 'erase') return { event: 'forgotten', text: upkeep.after ?? reason }
  if (upkeep?.action === 'restore') return { event: 'restored', text: upkeep.subject ?? '' }
  return undefined
}

const ofPython = ({ python }: JournalRecord): Told | undefined => {
  const [first, ...more] = python?.files ?? []
  // What Python records before a rollback changed nothing.
  if (!python || (!first && python.elsewhere === 0)) return undefined
  const filePath = first && first.path !== SKILL_FILE && more.length === 0 ? { filePath: first.path } : {}
  return { event: PYTHON_EVENTS.get(python.action) ?? 'changed', text: python.skill, python: true, ...filePath }
}

const tell = (record: JournalRecord): readonly Told[] => {
  const { kind, evicted = [] } = record
  if (kind === 'held') return [ofOp(record)].flatMap((told) => (told ? [{ ...told, event: 'waits' as const }] : []))
  if (kind !== 'applied' || onlyConfirmed(record)) return []
  const told = ofOp(record) ?? ofUpkeep(record) ?? ofPython(record)
  return [...(told ? [told] : []), ...evicted.map(({ text }) => ({ event: 'made-room' as const, text }))]
}

/** Takes records in any order. A proposal that waits is left out once it is decided. The oldest day and its first item come first. */
export const toTimeline = (records: readonly JournalRecord[]): readonly TimelineDay[] => {
  const inOrder = records.toSorted((a, b) => a.at - b.at)
  const takenBack = new Map<string, string>()
  // The newest first: what was taken back itself takes nothing back.
  for (const { id, undoes = [] } of inOrder.toReversed()) if (!takenBack.has(id)) for (const undone of undoes) takenBack.set(undone, id)
  const decided = new Set(records.flatMap(({ kind, pendingId }) => (kind !== 'held' && pendingId !== undefined ? [pendingId] : [])))
  const days = new Map<string, TimelineItem[]>()
  for (const record of inOrder) {
    const { id, at, actor, target, origin, sessionId, project, reason, evidence = [], kind, pendingId, undoes } = record
    // What takes something back is told at that.
    if (undoes !== undefined || (kind === 'held' && pendingId !== undefined && decided.has(pendingId))) continue
    const items = tell(record).map((told): TimelineItem => {
      const by = takenBack.get(id)
      return {
        ...{ id: kind === 'held' && pendingId !== undefined ? pendingId : id, at, actor, target, origin, sessionId, project, reason },
        ...told,
        quotes: evidence.map(({ quote }) => quote),
        ...(by === undefined ? {} : { takenBackBy: by }),
      }
    })
    const day = dayOf(at)
    const known = days.get(day)
    if (known) known.push(...items)
    else if (items.length > 0) days.set(day, items)
  }
  return [...days].map(([day, items]) => ({ day, items }))
}
