/** What a review may see of the stores: the person's, and those of the project that it is about. */
import { countUsedChars } from '../memory/memory-document.ts'
import { byTarget, type EntryFacts, type MemoryTarget, targetsOf } from '../memory/memory-op.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import { readEntries } from '../review/apply/ask-gate.ts'
import { ownEntries } from '../review/own-words-pass.ts'
import { isNearlyFull, type StoreUsage } from '../review/propose/prompts/review-request.ts'

/** Facts of the entries, read only if the reviewer is shown them. */
const factsOf = async (store: MemoryStore, target: MemoryTarget, usage: StoreUsage): Promise<readonly EntryFacts[]> => {
  if (!isNearlyFull(usage.usedChars, usage.charLimit)) return []
  const facts = await store.facts(target)
  return facts.ok ? facts.value : []
}

/** The entries that a pass may see, with how full the stores are, and facts that are shown with their entries. */
export const describeStores = async (store: MemoryStore, sight: 'own' | 'outside') => {
  const { entries: all, origins } = await readEntries(store)
  const entries = sight === 'own' ? ownEntries(all, origins) : all
  const usageOf = (target: MemoryTarget) => ({ usedChars: countUsedChars(entries[target] ?? []), charLimit: store.charLimit(target) })
  const usage = byTarget(store.project, usageOf)
  const read = new Map<MemoryTarget, readonly EntryFacts[]>()
  for (const target of targetsOf(store.project)) read.set(target, await factsOf(store, target, usageOf(target)))
  const facts = byTarget(store.project, (target) => read.get(target) ?? [])
  return { entries, usage, facts, ...(sight === 'outside' ? { origins } : {}) }
}
