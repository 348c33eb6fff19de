/**
 * Corroboration: an entry from outside that the pass over the user's own words proposes independently, citing the user, is no longer text from outside and no
 * longer pending (DESIGN 5). Called only for what the gate found to be the user's.
 */

import type { JournalRecordInput } from '../../journal/journal.ts'
import type { PendingProposal } from '../../journal/pending.ts'
import { timeOf } from '../../memory/entry-time.ts'
import type { EntryFacts, MemoryOp, MemoryTarget } from '../../memory/memory-op.ts'
import { planChange, prepareOps } from '../../memory/plan-change.ts'
import type { MemoryProposal } from '../../proposal/review-proposal.ts'
import { contentWords } from '../../text/content-words.ts'
import { specificTokens } from '../../text/specific-tokens.ts'
import type { Disposal } from './disposal.ts'
import { toRecord } from './to-record.ts'

/** Empty if the actor may change pinned entries, and if the entries cannot be read: then nothing is written anyway. */
const readFacts = async (target: MemoryTarget, { actor, options: { store } }: Disposal): Promise<readonly EntryFacts[]> => {
  if (actor === 'host' || actor === 'person') return []
  const facts = await store.facts?.(target)
  return facts?.ok ? facts.value : []
}

const REFUSED = 'A person has pinned this entry, so only a person can change it.'

/** Why one of the operations may not be carried out; `undefined` if all may. */
export const refusePinned = async (
  group: readonly [MemoryProposal, ...MemoryProposal[]],
  disposal: Disposal,
): Promise<string | undefined> => {
  if (group.every(({ op }) => op.action === 'add')) return undefined
  const facts = await readFacts(group[0].target, disposal)
  const pinned = new Set(facts.filter((each) => each.pinned).map(({ entry }) => entry))
  if (pinned.size === 0) return undefined
  const entries = facts.map(({ entry }) => entry)
  const limits = { target: group[0].target, charLimit: Number.POSITIVE_INFINITY, batch: false }
  const takesPinned = (ops: readonly MemoryOp[]): boolean => {
    const prepared = prepareOps(ops)
    const planned = prepared.ok ? planChange(entries, { ...limits, ops: prepared.value.ops }) : prepared
    return planned.ok && planned.value.previous.some((entry) => pinned.has(entry))
  }
  const ops = group.map(({ op }) => op)
  // Checked one by one and together, since the target of one operation depends on the earlier ones.
  return takesPinned(ops) || ops.some((op) => takesPinned([op])) ? REFUSED : undefined
}

const sameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((item) => other.has(item))

/** True if both have the same content words, apart from inflection and order, and the same addresses and numbers. */
export const saysTheSame = (one: string, other: string): boolean => {
  if (one === other) return true
  const words = contentWords(one)
  if (words.size === 0 || !sameSet(words, contentWords(other))) return false
  const [first, second] = [specificTokens(one), specificTokens(other)]
  return sameSet(first.strong, second.strong) && sameSet(first.numbers, second.numbers)
}

/**
 * Entries from outside with the same meaning as the new text. They are removed rather than rewritten, so that the new text takes its normal place. Pinned
 * entries with other wording stay.
 */
export const corroboratedEntries = async ({ target, op }: MemoryProposal, disposal: Disposal): Promise<readonly string[]> => {
  if (op.action === 'remove') return []
  const origins = [...(disposal.options.store.origins?.(target) ?? [])]
  const same = origins.filter(([entry, origin]) => origin === 'tool' && saysTheSame(entry, op.content)).map(([entry]) => entry)
  const facts = same.length > 0 ? await readFacts(target, disposal) : []
  return same.filter((entry) => entry === op.content || !facts.some((each) => each.pinned && each.entry === entry))
}

const isSettledBy = (held: PendingProposal, { target, op }: MemoryProposal, project: string | undefined): boolean => {
  const isOther = target === 'project' && held.project !== project
  const [waiting, ...more] = held.target === target && !isOther ? held.ops : []
  if (waiting === undefined || more.length > 0) return false
  if (op.action === 'remove') return waiting.action === 'remove' && op.oldText.includes(waiting.oldText)
  return 'content' in waiting && saysTheSame(waiting.content, op.content)
}

const SETTLED = "The user's own words led to the same change, so it no longer waits."
const RAISED = "The user's own words led to the same entry, so it no longer counts as text from outside."

/** Removes pending proposals with the same meaning. Called after a proposal of the user's was written. */
export const settleHeld = async (proposals: readonly MemoryProposal[], disposal: Disposal): Promise<void> => {
  const { pending, store } = disposal.options
  if (!pending) return
  const listed = (await disposal.guarded('read pending', () => pending.list())) ?? []
  for (const held of listed) {
    if (held.target === 'skill' || !proposals.some((proposal) => isSettledBy(held, proposal, store.project))) continue
    const [op] = held.ops
    const { id: pendingId, target, rationale, score, evidence } = held
    if (op === undefined) continue
    // The record is written first: after a crash in between, the next review settles the entry again.
    const settled = { kind: 'settled', reason: SETTLED, pendingId } as const
    await disposal.append([toRecord(disposal.options, settled, { target, op, rationale, score, evidence })])
    await disposal.guarded('pending', () => pending.remove(pendingId))
  }
}

/** For the journal: which entries from outside were replaced by the new text. */
export const toRaisedRecords = (
  { target, op, rationale, score }: MemoryProposal,
  entries: readonly string[],
  { options }: Disposal,
): readonly JournalRecordInput[] => {
  if (op.action === 'remove') return []
  const raisedTo = (oldText: string): MemoryOp => ({ ...timeOf(op), action: 'replace', oldText, content: op.content })
  return entries.map((entry) =>
    toRecord(options, { kind: 'settled', reason: RAISED, previous: [entry] }, { target, op: raisedTo(entry), rationale, score }),
  )
}
