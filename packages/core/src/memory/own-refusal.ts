/** What a refusal may show the agent: entries from outside stay out, since the agent's words count as its own (DESIGN 5). Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { isOwnOrigin } from '../shared/origin.ts'
import type { EntryOrigin } from './entry-facts.ts'
import type { MemoryTarget } from './memory-op.ts'
import { severalMatch } from './memory-refusal.ts'

type Origins = ReadonlyMap<string, EntryOrigin>

/** Entries whose origin is known and not from outside. */
export const ownOf = (entries: readonly string[], origins: Origins): readonly string[] =>
  entries.filter((entry) => isOwnOrigin(origins.get(entry)))

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((each) => typeof each === 'string')

export const withoutOutside = (target: MemoryTarget, error: HermesError, origins: Origins): HermesError => {
  const { code, message, cause, details } = error
  const { currentEntries, matched, oldText } = details
  if (isTexts(matched) && typeof oldText === 'string') return severalMatch(target, oldText, matched, ownOf(matched, origins))
  return isTexts(currentEntries)
    ? new HermesError(code, message, { cause, details: { ...details, currentEntries: ownOf(currentEntries, origins) } })
    : error
}
