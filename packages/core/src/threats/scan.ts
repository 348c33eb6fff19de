/** Looks for text that tries to steer, spy on or hide from the agent, before it is stored and again before it is shown (reference hermes-memory 7). */
import { findInvisible } from './invisible.ts'
import { THREAT_PATTERNS } from './patterns.ts'
import { createPhraseMatcher } from './phrase-match.ts'
import { THREAT_PHRASES } from './phrases.ts'
import { isInScope, type ThreatScope } from './scope.ts'
import { findSpanning } from './span.ts'
import { readThreatText, type ThreatReading, type ThreatText } from './text.ts'
import { toTokens } from './tokens.ts'

export type { ThreatScope } from './scope.ts'

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

/** What an entry of a memory store looks like to the scan. Follows from its text alone. */
interface ReadEntry {
  /** Without disguise, to be read together with its neighbours. */
  readonly folded: string
  readonly findings: ReadonlySet<string>
}

const readEntry = (entry: string): ReadEntry => {
  const reading = readThreatText(entry, THREAT_SCAN_MAX_CHARS)
  const findings = new Set([...scan(reading, 'strict'), ...(reading.isCut ? [OVERSIZE_TEXT] : [])])
  return { folded: (reading.bare ?? reading.text).folded, findings }
}

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

export interface MemoryScan {
  /** Of one entry: the strict scan, plus `oversize_text` where the entry goes on past the part that was scanned. */
  readonly one: (entry: string) => readonly string[]
  /**
   * Findings per entry, in the order given. An instruction to the model that is split over neighbouring entries counts for each entry it
   * spans. No wording exempts an entry, a `[BLOCKED:` at its start included. Entries behind 32,768 characters in all are not scanned: `oversize_text`.
   */
  readonly all: (entries: readonly string[]) => ReadonlyArray<readonly string[]>
}

/** Texts that `one` is asked about between two calls of `all`, as for the operations of a batch. */
const MAX_REMEMBERED = 64

/**
 * A scan that reads a text it has just read no second time. It remembers the entries that `all` was last called with and the texts that `one`
 * was called with since, at most 64, and gives the same findings as a new one for whatever it is called with.
 */
export const createMemoryScan = (): MemoryScan => {
  let remembered: ReadonlyMap<string, ReadEntry> = new Map()
  const read = (entry: string): ReadEntry => remembered.get(entry) ?? readEntry(entry)
  return {
    one: (entry) => {
      const found = read(entry)
      if (remembered.size < MAX_REMEMBERED && entry.length <= ENTRIES_SCAN_MAX_CHARS) remembered = new Map(remembered).set(entry, found)
      return [...found.findings].sort()
    },
    all: (entries) => {
      const readEntries = entries.slice(0, countWithinLimit(entries)).map((entry) => [entry, read(entry)] as const)
      remembered = new Map(readEntries)
      const spanning = findSpanning(readEntries.map(([, { folded }]) => folded))
      return entries.map((_, at) => {
        const findings = readEntries[at]?.[1].findings
        return findings ? [...new Set([...findings, ...(spanning[at] ?? [])])].sort() : [OVERSIZE_TEXT]
      })
    },
  }
}

/** `one` of a new `MemoryScan`. */
export const scanMemoryText = (text: string): readonly string[] => createMemoryScan().one(text)

/** `all` of a new `MemoryScan`. */
export const scanMemoryEntries = (entries: readonly string[]): ReadonlyArray<readonly string[]> => createMemoryScan().all(entries)
