/** What the reviewer is told where a store is nearly full: what is known of each entry, and to make room before anything new (reference skills-curator 22). */
import type { EntryDates, EntryFacts } from '../../memory/entry-facts.ts'
import type { MemoryTarget } from '../../memory/memory-op.ts'
import { neutralise } from '../../model/data-fence.ts'

/** The part of a limit from which on an add is likely to be refused. */
const NEARLY_FULL = 0.8

export const isNearlyFull = (usedChars: number, charLimit: number): boolean => usedChars >= NEARLY_FULL * charLimit

const WHOSE = { user: 'by the user', assistant: 'by the agent', tool: 'from outside', external: 'written by hand' } as const

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

Make room first: ${stores} ${targets.length === 1 ? 'is' : 'are'} nearly full. A bracket before an entry says when it was first seen, when it was last confirmed and whose words it is; it is no part of the entry. Propose, before anything new and in this order:
1. Merges that keep every fact: of entries on one subject, first a "replace" of one by a text that holds the words of all of them, then a "remove" of each of the others. Only the words of these entries, nothing new.
2. What is contradicted: of two entries that exclude each other the one confirmed later stands; "remove" the other.
3. What is stale: a "remove" of an entry that nobody has confirmed for long, that is neither the user's words nor written by hand, and that no later conversation is likely to need.
What the user said, or wrote by hand, goes only into a merge that keeps all of it, or where the user took it back. What is removed is kept in an archive. For these proposals the score says how sure you are, and "evidence" may be an empty list. If nothing can go without a loss, propose none of them.`
}
