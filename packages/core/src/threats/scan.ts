/**
 * Finds text that tries to steer, spy on or hide from the agent. Texts are scanned before they are stored and again before they are shown
 * (reference hermes-memory 7).
 */
import { findInvisible } from './invisible.ts'
import { THREAT_PATTERNS } from './patterns.ts'
import { createPhraseMatcher, toTokens } from './phrase-match.ts'
import { isInScope, THREAT_PHRASES, type ThreatScope } from './phrases.ts'
import { findSpanning } from './span.ts'
import { readThreatText, type ThreatReading, type ThreatText } from './text.ts'

export type { ThreatScope } from './phrases.ts'

/** Code points from the start of a text that `scanThreats` scans. */
export const THREAT_SCAN_MAX_CHARS = 65_536

/** The finding of `scanMemoryText` for a text too long to be scanned to its end. */
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
 * Ids of all findings in the first 65,536 code points, sorted, unique; `oversize_text` if normalising expands them too much. Disguises
 * (spaced-out letters, accents, other scripts) are removed first. Linear in the text.
 */
export const scanThreats = (text: string, scope: ThreatScope): readonly string[] =>
  [...scan(readThreatText(text, THREAT_SCAN_MAX_CHARS), scope)].sort()

/** An entry of a memory store as prepared for the scan. Depends only on its text. */
interface ReadEntry {
  /** Without disguise; scanned together with its neighbours. */
  readonly folded: string
  readonly findings: ReadonlySet<string>
}

const readEntry = (entry: string): ReadEntry => {
  const reading = readThreatText(entry, THREAT_SCAN_MAX_CHARS)
  const findings = new Set([...scan(reading, 'strict'), ...(reading.isCut ? [OVERSIZE_TEXT] : [])])
  return { folded: (reading.bare ?? reading.text).folded, findings }
}

/** Maximum UTF-16 units of all entries scanned together, several times a store's default limit. */
export const ENTRIES_SCAN_MAX_CHARS = 32_768

/** The number of entries that are scanned. */
const countWithinLimit = (entries: readonly string[]): number => {
  let chars = 0
  const over = entries.findIndex((entry) => {
    chars += entry.length
    return chars > ENTRIES_SCAN_MAX_CHARS
  })
  return over < 0 ? entries.length : over
}

export interface MemoryScan {
  /** For one entry: the strict scan, plus `oversize_text` if it is longer than the scanned part. */
  readonly one: (entry: string) => readonly string[]
  /**
   * Findings per entry, in the given order. An instruction to the model that is split over neighbouring entries counts for each of them.
   * No wording exempts an entry, not even `[BLOCKED:` at its start. Entries beyond 32,768 characters in all are not scanned:
   * `oversize_text`.
   */
  readonly all: (entries: readonly string[]) => ReadonlyArray<readonly string[]>
}

/** Texts remembered from calls of `one` between two calls of `all`, such as for the operations of a batch. */
const MAX_REMEMBERED = 64

/**
 * A scan that remembers recent texts: the entries of the last call of `all`, and at most 64 texts of later calls of `one`. Its findings
 * are the same as those of a new scan.
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
