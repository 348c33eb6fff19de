/** What the reviewer is told where a store is nearly full: what is known of each entry, and to make room before anything new (reference skills-curator 22). */
import type { EntryDates, EntryFacts } from '../../../memory/entry-facts.ts'
import type { MemoryTarget } from '../../../memory/memory-op.ts'
import { neutralise } from '../../../model/data-fence.ts'

/** The part of a limit from which on an add is likely to be refused. */
const NEARLY_FULL = 0.8

export const isNearlyFull = (usedChars: number, charLimit: number): boolean => usedChars >= NEARLY_FULL * charLimit

export const WHOSE = { user: 'by the user', assistant: 'by the agent', tool: 'from outside', external: 'written by hand' } as const

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)

const describeDates = ({ origin, firstSeenAt, lastConfirmedAt }: EntryDates): string =>
  firstSeenAt === 0
    ? `dates unknown, ${WHOSE[origin]}`
    : `first seen ${day(firstSeenAt)}, last confirmed ${day(lastConfirmedAt)}, ${WHOSE[origin]}`

/** The bracket stands before every entry, on its first line, where no entry can forge it. */
export const describeDatedEntries = (entries: readonly string[], facts: readonly EntryFacts[]): string => {
  const known = new Map(facts.map((fact) => [fact.entry, fact]))
  return entries
    .map((entry) => {
      const dates = known.get(entry)
      return `- [${dates ? describeDates(dates) : 'dates unknown'}] ${neutralise(entry)}`
    })
    .join('\n')
}

/** `''` where no store is nearly full. */
export const askForRoom = (targets: readonly MemoryTarget[]): string => {
  if (targets.length === 0) return ''
  const stores = targets.map((target) => `"${target}"`).join(' and ')
  return `

Make room first: ${stores} ${targets.length === 1 ? 'is' : 'are'} nearly full. A bracket before an entry says when it was first seen, when last confirmed, and whose words it is; it is no part of the entry. Before anything new propose, in this order:
1. Merges that keep every fact of entries on one subject: "replace" one by the words of all of them, nothing new, then "remove" the others.
2. What is contradicted: of two entries that exclude each other the one confirmed later stands; "remove" the other.
3. What is stale: "remove" what nobody has confirmed for long and no later conversation is likely to need, unless it is the user's or written by hand.
What the user said or wrote by hand goes only into such a merge, or where the user took it back. What goes is kept in an archive. Here the score says how sure you are, and "evidence" may be empty. If nothing can go without a loss, propose none of these.`
}
