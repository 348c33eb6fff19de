/** What a pass of a review is shown of memory: the entries it may see, and nothing of any other. */
import { countUsedChars } from '../memory/char-budget.ts'
import type { EntryFacts } from '../memory/entry-facts.ts'
import type { MemoryTarget } from '../memory/memory-op.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import { readEntries } from '../review/apply/ask-gate.ts'
import { ownEntries } from '../review/own-words-pass.ts'
import { isNearlyFull } from '../review/propose/prompts/nearly-full.ts'
import type { StoreUsage } from '../review/propose/prompts/review-request.ts'

type Entries = Readonly<Record<MemoryTarget, readonly string[]>>

/** Read only where the reviewer is shown them. */
const factsOf = async (store: MemoryStore, target: MemoryTarget, shown: Entries, usage: StoreUsage): Promise<readonly EntryFacts[]> => {
  if (!isNearlyFull(usage.usedChars, usage.charLimit)) return []
  const facts = await store.facts(target)
  return facts.ok ? facts.value.filter(({ entry }) => shown[target].includes(entry)) : []
}

/** Entries, how full the stores are, and since when entries are known: all of what is shown and of nothing else. */
export const describeStores = async (store: MemoryStore, sight: 'own' | 'outside') => {
  const { entries: all, origins } = await readEntries(store)
  const entries = sight === 'own' ? ownEntries(all, origins) : all
  const usageOf = (target: MemoryTarget) => ({ usedChars: countUsedChars(entries[target]), charLimit: store.charLimit(target) })
  const usage = { memory: usageOf('memory'), user: usageOf('user') }
  const facts = {
    memory: await factsOf(store, 'memory', entries, usage.memory),
    user: await factsOf(store, 'user', entries, usage.user),
  }
  return { entries, usage, facts, ...(sight === 'outside' ? { origins } : {}) }
}
