/** Looks for text that tries to steer, spy on or hide from the agent, before it is stored and again before it is shown (reference hermes-memory 7). */
import { findInvisible } from './threat-invisible.ts'
import { THREAT_PATTERNS } from './threat-patterns.ts'
import { createPhraseMatcher } from './threat-phrase-match.ts'
import { THREAT_PHRASES } from './threat-phrases.ts'
import { isInScope, type ThreatScope } from './threat-scope.ts'
import { findSpanning } from './threat-span.ts'
import { toThreatText } from './threat-text.ts'
import { toTokens } from './threat-tokens.ts'

export type { ThreatScope } from './threat-scope.ts'

/** `scanThreats` looks at this many code points from the start of a text. */
export const THREAT_SCAN_MAX_CHARS = 65_536

/** The finding of `scanMemoryText` for a text that is too long to be scanned to its end. */
export const OVERSIZE_TEXT = 'oversize_text'

const phrases = createPhraseMatcher(THREAT_PHRASES)

const scan = (text: string, scope: ThreatScope): { readonly found: ReadonlySet<string>; readonly isCut: boolean } => {
  const threatText = toThreatText(text, THREAT_SCAN_MAX_CHARS)
  const found = new Set(findInvisible(threatText.raw))
  const tokens = toTokens(threatText.folded)
  const places = phrases.places(tokens)
  for (const { id, scope: own } of THREAT_PHRASES) {
    if (isInScope(own, scope) && phrases.spans(id, tokens, places).length > 0) found.add(id)
  }
  for (const { id, scope: own, isIn } of THREAT_PATTERNS) {
    if (isInScope(own, scope) && isIn(threatText)) found.add(id)
  }
  return { found, isCut: threatText.raw.length < text.length }
}

/** Ids of everything suspicious in the first 65,536 code points, sorted, without duplicates. Linear in the text, whatever it holds. */
export const scanThreats = (text: string, scope: ThreatScope): readonly string[] => [...scan(text, scope).found].sort()

/** What a memory store asks about one entry: the strict scan, plus `oversize_text` where the entry goes on past the part that was scanned. */
export const scanMemoryText = (text: string): readonly string[] => {
  const { found, isCut } = scan(text, 'strict')
  return [...found, ...(isCut ? [OVERSIZE_TEXT] : [])].sort()
}

/**
 * Findings per entry, in the order given. An instruction to the model that is split over neighbouring entries counts for each entry it
 * spans. No wording exempts an entry, a `[BLOCKED:` at its start included.
 */
export const scanMemoryEntries = (entries: readonly string[]): ReadonlyArray<readonly string[]> => {
  const spanning = findSpanning(entries, THREAT_SCAN_MAX_CHARS)
  return entries.map((entry, at) => [...new Set([...scanMemoryText(entry), ...(spanning[at] ?? [])])].sort())
}
