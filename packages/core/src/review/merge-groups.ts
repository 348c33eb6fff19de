/**
 * Finds proposals that are one merge: a replace whose text says all of other entries, and the removes of these. Apart they would stand in each
 * other's way: the merged text does not fit before the others are gone, and holds the very words by which the removes name theirs. Pure.
 */

import { addsNothingTo, keepsFacts } from '../gate/kept-facts.ts'
import type { GateContext } from '../gate/review-gate.ts'
import { locateEntry } from '../memory/entry-list.ts'
import type { MemoryProposal, ReviewProposal } from '../proposal/review-proposal.ts'

interface Replace {
  readonly proposal: MemoryProposal
  readonly entry: string
  readonly content: string
}

const entryMeant = ({ target, op }: MemoryProposal, entries: GateContext['entries']): string | undefined => {
  if (op.action === 'add') return undefined
  const location = locateEntry(entries[target], op.oldText.trim())
  return location.kind === 'found' ? entries[target][location.index] : undefined
}

export interface Merges {
  /**
   * By its replace, the merge as a group in the order in which it is to be done; a remove names its entry in full, because its words stand in two
   * entries by then.
   */
  readonly groups: ReadonlyMap<ReviewProposal, ReadonlyMap<ReviewProposal, MemoryProposal>>
  /** Further removes of an entry that a group takes away: done after it, they would find their words in the merged entry. */
  readonly repeats: ReadonlySet<ReviewProposal>
}

/** Whatever is in no group, and repeats none, stands alone. */
export const findMerges = (proposals: readonly ReviewProposal[], entries: GateContext['entries']): Merges => {
  const changes = proposals.filter((proposal) => proposal.target !== 'skill')
  const replaces = changes.flatMap((proposal): Replace[] => {
    const entry = entryMeant(proposal, entries)
    return proposal.op.action === 'replace' && entry !== undefined ? [{ proposal, entry, content: proposal.op.content }] : []
  })
  const groups = new Map<ReviewProposal, Map<ReviewProposal, MemoryProposal>>()
  const repeats = new Set<ReviewProposal>()
  const replaced = new Set(replaces.map(({ proposal, entry }) => `${proposal.target} ${entry}`))
  const removed = new Set<string>()
  for (const proposal of changes) {
    const entry = entryMeant(proposal, entries)
    const place = `${proposal.target} ${entry}`
    if (proposal.op.action !== 'remove' || entry === undefined || replaced.has(place)) continue
    if (removed.has(place)) {
      repeats.add(proposal)
      continue
    }
    const replace = replaces.find(
      ({ proposal: { target }, content }) => target === proposal.target && keepsFacts(entry, content) && addsNothingTo([content], entry),
    )
    if (!replace) continue
    removed.add(place)
    const group = groups.get(replace.proposal) ?? new Map<ReviewProposal, MemoryProposal>()
    groups.set(replace.proposal, group.set(proposal, { ...proposal, op: { action: 'remove', oldText: entry } }))
  }
  return { groups, repeats }
}
