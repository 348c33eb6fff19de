/** `hermes doctor --repair`: takes damaged records of origins from the journal. */
import { type MemoryTarget, ok, type Result } from '@hermes/core'
import { type KnownOrigin, type RepairedOrigins, repairOrigins } from '@hermes/core/memory'
import type { Context } from '../../context.ts'
import { counted } from '../../terminal/format.ts'
import { openJournal } from '../journal/read-journal.ts'
import { readProjects } from '../memory/open-memory.ts'

/** `project`: of the store `project`. */
const keyOf = (target: MemoryTarget, project: string | undefined, entry: string): string =>
  JSON.stringify([target, target === 'project' ? project : undefined, entry.trim()])

/** The newest record of each entry tells its origin, and whether it is pinned. */
const readKnown = async (context: Context): Promise<Result<ReadonlyMap<string, KnownOrigin>>> => {
  const listed = await openJournal(context).list()
  if (!listed.ok) return listed
  const known = new Map<string, KnownOrigin>()
  for (const { kind, target, project, op, facts, upkeep } of listed.value) {
    if (kind !== 'applied' || target === undefined || target === 'skill') continue
    const text = upkeep ? upkeep.subject : op && 'content' in op ? op.content : undefined
    if (text === undefined) continue
    const key = keyOf(target, project, text)
    const { dates, pinned } = known.get(key) ?? {}
    const isPinned = upkeep?.action === 'pin' || (pinned === true && upkeep?.action !== 'unpin')
    known.set(key, { dates: facts?.content ?? dates, ...(isPinned ? { pinned: true } : {}) })
  }
  return ok(known)
}

/** What was repaired: the origins of the person's entries, and of those of each project. */
export const repairHome = async (context: Context): Promise<Result<readonly RepairedOrigins[]>> => {
  const { storage, clock } = context
  const [known, projects] = [await readKnown(context), await readProjects(context)]
  if (!known.ok) return known
  if (!projects.ok) return projects
  const repaired: RepairedOrigins[] = []
  for (const project of [undefined, ...projects.value]) {
    const knownOf = (target: MemoryTarget, entry: string) => known.value.get(keyOf(target, project, entry)) ?? {}
    const done = await repairOrigins({ storage, clock, project, known: knownOf })
    if (!done.ok) return done
    if (done.value) repaired.push(done.value)
  }
  return ok(repaired)
}

const describeOne = ({ known, unknown, copy }: RepairedOrigins): string => {
  const lost =
    unknown === 0
      ? ''
      : ` ${counted(unknown, 'entry', 'entries')} without a record now ${unknown === 1 ? 'counts' : 'count'} as from outside.`
  return `The origins were repaired: ${counted(known, 'entry', 'entries')} from the journal.${lost} The damaged file is kept as '${copy}'.`
}

export const describeRepair = (repaired: readonly RepairedOrigins[]): string =>
  repaired.length === 0 ? 'Nothing to repair: the origins of the entries can be read.' : repaired.map(describeOne).join('\n')
