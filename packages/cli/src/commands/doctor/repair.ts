/** `hermes doctor --repair`: takes damaged records of origins from the journal. */
import { type MemoryTarget, ok, type Result } from '@hermes/core'
import { type KnownOrigin, type RepairedOrigins, repairOrigins } from '@hermes/core/memory'
import type { Context } from '../../context.ts'
import { counted } from '../../terminal/format.ts'
import { openJournal } from '../journal/read-journal.ts'

const keyOf = (target: MemoryTarget, entry: string): string => `${target}\n${entry.trim()}`

/** The newest record of each entry tells its origin, and whether it is pinned. */
const readKnown = async (context: Context): Promise<Result<ReadonlyMap<string, KnownOrigin>>> => {
  const listed = await openJournal(context).list()
  if (!listed.ok) return listed
  const known = new Map<string, KnownOrigin>()
  for (const { kind, target, op, facts, upkeep } of listed.value) {
    if (kind !== 'applied' || target === undefined || target === 'skill') continue
    const text = upkeep ? upkeep.subject : op && 'content' in op ? op.content : undefined
    if (text === undefined) continue
    const { dates, pinned } = known.get(keyOf(target, text)) ?? {}
    const isPinned = upkeep?.action === 'pin' || (pinned === true && upkeep?.action !== 'unpin')
    known.set(keyOf(target, text), { dates: facts?.content ?? dates, ...(isPinned ? { pinned: true } : {}) })
  }
  return ok(known)
}

/** Undefined if nothing needed repair. */
export const repairHome = async (context: Context): Promise<Result<RepairedOrigins | undefined>> => {
  const { storage, clock } = context
  const known = await readKnown(context)
  if (!known.ok) return known
  return repairOrigins({ storage, clock, known: (target, entry) => known.value.get(keyOf(target, entry)) ?? {} })
}

export const describeRepair = (repaired: RepairedOrigins | undefined): string => {
  if (!repaired) return 'Nothing to repair: the origins of the entries can be read.'
  const unknown =
    repaired.unknown === 0
      ? ''
      : ` ${counted(repaired.unknown, 'entry', 'entries')} without a record now ${repaired.unknown === 1 ? 'counts' : 'count'} as from outside.`
  return `The origins were repaired: ${counted(repaired.known, 'entry', 'entries')} from the journal.${unknown} The damaged file is kept as '${repaired.copy}'.`
}
