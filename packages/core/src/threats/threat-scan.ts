/** Looks for text that tries to steer, spy on or hide from the agent, before it is stored and again before it is shown (reference hermes-memory 7). */
import { findInvisible } from './threat-invisible.ts'
import { THREAT_PATTERNS } from './threat-patterns.ts'
import { createPhraseMatcher } from './threat-phrase-match.ts'
import { THREAT_PHRASES } from './threat-phrases.ts'
import { isInScope, type ThreatScope } from './threat-scope.ts'
import { findSpanning } from './threat-span.ts'
import { readThreatText, type ThreatReading, type ThreatText } from './threat-text.ts'
import { toTokens } from './threat-tokens.ts'

export type { ThreatScope } from './threat-scope.ts'

/** `scanThreats` looks at this many code points from the start of a text. */
export const THREAT_SCAN_MAX_CHARS = 65_536

/** The finding of `scanMemoryText` for a text that is too long to be scanned to its end. */
export const OVERSIZE_TEXT = 'oversize_text'

const phrases = createPhraseMatcher(THREAT_PHRASES)

const scanText = (text: ThreatText, scope: ThreatScope, found: Set<string>): void => {
  const tokens = toTokens(text.folded)
  const places = phrases.places(tokens)
  for (const { id, scope: own } of THREAT_PHRASES) {
    if (isInScope(own, scope) && phrases.spans(id, tokens, places).length > 0) found.add(id)
  }
  for (const { id, scope: own, isIn } of THREAT_PATTERNS) {
    if (isInScope(own, scope) && isIn(text)) found.add(id)
  }
}

const scan = ({ raw, isSwollen, text, bare }: ThreatReading, scope: ThreatScope): ReadonlySet<string> => {
  const found = new Set(findInvisible(raw))
  if (isSwollen) found.add(OVERSIZE_TEXT)
  scanText(text, scope, found)
  if (bare) scanText(bare, scope, found)
  return found
}

/**
 * Ids of everything suspicious in the first 65,536 code points, sorted, without duplicates; `oversize_text` where they stand for far more than they are. Text in
 * disguise (letters set apart, with accents, of other scripts) is read without it. Linear in the text, whatever it holds.
 */
export const scanThreats = (text: string, scope: ThreatScope): readonly string[] =>
  [...scan(readThreatText(text, THREAT_SCAN_MAX_CHARS), scope)].sort()

const scanMemory = (reading: ThreatReading): ReadonlySet<string> =>
  new Set([...scan(reading, 'strict'), ...(reading.isCut ? [OVERSIZE_TEXT] : [])])

/** What a memory store asks about one entry: the strict scan, plus `oversize_text` where the entry goes on past the part that was scanned. */
export const scanMemoryText = (text: string): readonly string[] => [...scanMemory(readThreatText(text, THREAT_SCAN_MAX_CHARS))].sort()

/** UTF-16 units of all entries of a store that are scanned together, many times what a store holds by default. */
export const ENTRIES_SCAN_MAX_CHARS = 32_768

/** Those that are scanned. */
const countWithinLimit = (entries: readonly string[]): number => {
  let chars = 0
  const over = entries.findIndex((entry) => {
    chars += entry.length
    return chars > ENTRIES_SCAN_MAX_CHARS
  })
  return over < 0 ? entries.length : over
}

/**
 * Findings per entry, in the order given. An instruction to the model that is split over neighbouring entries counts for each entry it
 * spans. No wording exempts an entry, a `[BLOCKED:` at its start included. Entries behind 32,768 characters in all are not scanned: `oversize_text`.
 */
export const scanMemoryEntries = (entries: readonly string[]): ReadonlyArray<readonly string[]> => {
  const readings = entries.slice(0, countWithinLimit(entries)).map((entry) => readThreatText(entry, THREAT_SCAN_MAX_CHARS))
  const spanning = findSpanning(readings.map(({ text, bare }) => (bare ?? text).folded))
  return entries.map((_, at) => {
    const reading = readings[at]
    return reading ? [...new Set([...scanMemory(reading), ...(spanning[at] ?? [])])].sort() : [OVERSIZE_TEXT]
  })
}
