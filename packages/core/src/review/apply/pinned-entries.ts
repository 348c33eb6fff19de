/** What a person has pinned, neither a review nor the agent's tool replaces or removes; the person and the host's code can. */
import type { EntryFacts } from '../../memory/entry-facts.ts'
import type { MemoryOp, MemoryTarget } from '../../memory/memory-op.ts'
import { planChange } from '../../memory/plan-change.ts'
import { prepareOps } from '../../memory/prepare-ops.ts'
import type { MemoryProposal } from '../../proposal/review-proposal.ts'
import type { DisposeDeps } from './dispose-deps.ts'

/** Empty for whoever may change what is pinned, and where the entries cannot be read: then nothing is written anyway. */
const readFacts = async (target: MemoryTarget, { store, actor = 'review' }: DisposeDeps): Promise<readonly EntryFacts[]> => {
  if (actor === 'host' || actor === 'person') return []
  const facts = await store.facts?.(target)
  return facts?.ok ? facts.value : []
}

/** Those that the actor has to leave as they are. */
export const pinnedEntries = async (target: MemoryTarget, deps: DisposeDeps): Promise<readonly string[]> =>
  (await readFacts(target, deps)).filter(({ pinned }) => pinned).map(({ entry }) => entry)

const REFUSED = 'A person has pinned this entry, so only a person changes it.'

/** Why one of the operations may not be carried out; `undefined` where all may. */
export const refusePinned = async (
  group: readonly [MemoryProposal, ...MemoryProposal[]],
  deps: DisposeDeps,
): Promise<string | undefined> => {
  if (group.every(({ op }) => op.action === 'add')) return undefined
  const facts = await readFacts(group[0].target, deps)
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
  // Each as it stands, and all in their order: what one means depends on what the others leave.
  return takesPinned(ops) || ops.some((op) => takesPinned([op])) ? REFUSED : undefined
}
