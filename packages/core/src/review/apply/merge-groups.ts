/**
 * Finds proposals that form one merge: a replace whose text covers other entries, and the removes of those entries. Applied separately they would conflict:
 * the merged text does not fit before the others are removed, and it contains the words by which the removes identify their entries. The pass over the user's
 * own words may also shorten: several entries replaced by one text, or removed beside a text that contains most of their words. Pure.
 */

import type { GateContext } from '../../gate/review-gate.ts'
import { timeOf } from '../../memory/entry-time.ts'
import { locateEntry } from '../../memory/memory-document.ts'
import type { MemoryProposal, ReviewProposal } from '../../proposal/review-proposal.ts'
import { contentSequence, contentWords, NEGATIONS } from '../../text/content-words.ts'
import { specificTokens } from '../../text/specific-tokens.ts'
import { spend } from '../../text/work-limit.ts'

// Splits a text into the content words of its clauses, to find the removals that belong to a merge. Whether they may be carried out is decided elsewhere.

const clausesOf = (text: string): readonly (readonly string[])[] =>
  text.split(/(?<![.;,!?()\n。；、，])[.;,!?()\n。；、，]+(?=\s|$)|[\n。；、，]/).map(contentSequence)

const holdsRun = (words: readonly string[], run: readonly string[]): boolean =>
  words.some((_, start) =>
    run.every((word, offset) => {
      spend(30)
      return words[start + offset] === word
    }),
  )

/** True if the text contains every clause of the entry, with its content words in order; other words may come between them. */
const keepsFacts = (entry: string, text: string): boolean => {
  const known = contentWords(entry)
  const whole = contentSequence(text)
  spend(40 * whole.length)
  const kept = whole.filter((word) => known.has(word))
  return clausesOf(entry).every((clause) => holdsRun(kept, clause))
}

/** True if the text contains at least half of the entry's content words: a possible shorter wording. */
const isAbout = (entry: string, text: string): boolean => {
  const [words, held] = [contentWords(entry), contentWords(text)]
  const shared = [...words].filter((word) => held.has(word)).length
  return shared > 0 && 2 * shared >= words.size
}

const countNegations = (text: string): number => contentSequence(text).filter((word) => NEGATIONS.has(word)).length

/** True if the text contains every address and number of the entry, and no fewer negations. */
const keepsDetails = (entry: string, text: string): boolean => {
  const known = specificTokens(text)
  const { strong, numbers } = specificTokens(entry)
  return (
    [...strong].every((token) => known.strong.has(token)) &&
    [...numbers].every((token) => known.numbers.has(token)) &&
    countNegations(entry) <= countNegations(text)
  )
}

interface Replace {
  readonly proposal: MemoryProposal
  readonly entry: string
  readonly content: string
}

/** The entry that an operation names; undefined for an addition, or if there is none. */
export const entryMeant = ({ target, op }: MemoryProposal, entries: GateContext['entries']): string | undefined => {
  if (op.action === 'add') return undefined
  const known = entries[target] ?? []
  const location = locateEntry(known, op.oldText.trim())
  return location.kind === 'found' ? known[location.index] : undefined
}

export interface Merges {
  /**
   * By its replace, each merge as a group in execution order. The other operations name their entry in full, since its words then occur in two entries; if
   * some of its words may be lost, they become replaces by the merged text, so that the gate sees what is dropped.
   */
  readonly groups: ReadonlyMap<ReviewProposal, ReadonlyMap<ReviewProposal, MemoryProposal>>
  /** Further removes of an entry that a group removes: run later, they would match the merged entry. */
  readonly repeats: ReadonlySet<ReviewProposal>
}

export interface MergeOptions {
  /** True if a merge may drop some of the entries' words. Default false. */
  readonly shortens?: boolean
}

/** The operation as part of the merge; undefined if the replace does not cover the entry. */
const asPart = (remove: MemoryProposal, entry: string, { content, proposal }: Replace, shortens: boolean): MemoryProposal | undefined => {
  if (keepsFacts(entry, content) && keepsDetails(entry, content)) return { ...remove, op: { action: 'remove', oldText: entry } }
  return shortens && isAbout(entry, content)
    ? { ...remove, op: { ...timeOf(proposal.op), action: 'replace', oldText: entry, content } }
    : undefined
}

/** The first replace with each text; other replaces with the same text join it. */
const headsOf = (
  replaces: readonly Replace[],
  join: (head: MemoryProposal, proposal: MemoryProposal, part: MemoryProposal) => void,
): readonly Replace[] => {
  const heads: Replace[] = []
  for (const replace of replaces) {
    const { proposal, entry, content } = replace
    const head = heads.find((other) => other.content === content && other.proposal.target === proposal.target)
    if (!head) heads.push(replace)
    else if (head.entry !== entry)
      join(head.proposal, proposal, { ...proposal, op: { ...timeOf(head.proposal.op), action: 'replace', oldText: entry, content } })
  }
  return heads
}

/** A proposal that is in no group and repeats none is applied alone. */
export const findMerges = (
  proposals: readonly ReviewProposal[],
  entries: GateContext['entries'],
  { shortens = false }: MergeOptions = {},
): Merges => {
  const changes = proposals.filter((proposal) => proposal.target !== 'skill').filter(({ target }) => target !== 'profile')
  const replaces = changes.flatMap((proposal): Replace[] => {
    const entry = entryMeant(proposal, entries)
    return proposal.op.action === 'replace' && entry !== undefined ? [{ proposal, entry, content: proposal.op.content }] : []
  })
  const groups = new Map<ReviewProposal, Map<ReviewProposal, MemoryProposal>>()
  const repeats = new Set<ReviewProposal>()
  const join = (head: MemoryProposal, proposal: MemoryProposal, part: MemoryProposal) => {
    const group = groups.get(head) ?? new Map<ReviewProposal, MemoryProposal>()
    groups.set(head, group.set(proposal, part))
  }
  const heads = shortens ? headsOf(replaces, join) : replaces
  const replaced = new Set(replaces.map(({ proposal, entry }) => `${proposal.target} ${entry}`))
  const removed = new Set<string>()
  for (const proposal of changes) {
    const entry = entryMeant(proposal, entries)
    const place = `${proposal.target} ${entry}`
    // What is left is a remove, since each replace has its entry in `replaced`.
    if (entry === undefined || replaced.has(place)) continue
    if (removed.has(place)) {
      repeats.add(proposal)
      continue
    }
    const parts = heads
      .filter((head) => head.proposal.target === proposal.target)
      .flatMap((head) => {
        const part = asPart(proposal, entry, head, shortens)
        return part ? [{ head: head.proposal, part }] : []
      })
    const found = parts.find(({ part }) => part.op.action === 'remove') ?? parts[0]
    if (!found) continue
    removed.add(place)
    join(found.head, proposal, found.part)
  }
  return { groups, repeats }
}
