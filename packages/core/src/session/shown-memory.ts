/** What a review may see of the stores: the person's, and those of the project that it is about. */
import { countUsedChars } from '../memory/memory-document.ts'
import { type ByTarget, byTarget, type EntryFacts, type MemoryTarget, targetsOf } from '../memory/memory-op.ts'
import type { MemoryStore } from '../memory/memory-store.ts'
import { rulesOf } from '../memory/profile-schema.ts'
import { readEntries } from '../review/apply/ask-gate.ts'
import { ownEntries } from '../review/own-words-pass.ts'
import { describeFields, isNearlyFull, type StoreUsage } from '../review/propose/prompts/review-request.ts'

/** Facts of the entries, read only if the reviewer is shown them. */
const factsOf = async (store: MemoryStore, target: MemoryTarget, usage: StoreUsage): Promise<readonly EntryFacts[]> => {
  if (!isNearlyFull(usage.usedChars, usage.charLimit)) return []
  const facts = await store.facts(target)
  return facts.ok ? facts.value : []
}

/**
 * The entries that a pass may see, with how full the stores are, facts that are shown with their entries, and the fields of the profile. `profile`: for the check of
 * what is proposed for it; undefined if nothing can be.
 */
export const describeStores = async (store: MemoryStore, sight: 'own' | 'outside') => {
  const { entries: all, origins } = await readEntries(store)
  const { profile: known = [], ...notes } = sight === 'own' ? ownEntries(all, origins) : all
  const rules = store.profile && rulesOf(store.profile)
  const fields = rules?.fault() === undefined ? rules?.fields : undefined
  const entries: ByTarget<readonly string[]> = rules && fields ? { ...notes, profile: rules.fitting(known) } : notes
  const usageOf = (target: MemoryTarget) => ({ usedChars: countUsedChars(entries[target] ?? []), charLimit: store.charLimit(target) })
  const usage = byTarget(entries, usageOf)
  const read = new Map<MemoryTarget, readonly EntryFacts[]>()
  for (const target of targetsOf(entries)) read.set(target, await factsOf(store, target, usageOf(target)))
  const facts = byTarget(entries, (target) => read.get(target) ?? [])
  const shown = {
    entries,
    usage,
    facts,
    ...(sight === 'outside' ? { origins } : {}),
    ...(fields ? { fields: describeFields(fields) } : {}),
  }
  return { shown, profile: rules && fields ? { rules, entries: all.profile ?? [] } : undefined }
}
