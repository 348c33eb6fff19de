/**
 * Finds text that tries to steer, spy on or hide from the agent. Texts are scanned before they are stored and again before they are shown
 * (reference hermes-memory 7).
 */
import { byText } from '../shared/by-text.ts'
import { countCodePoints } from '../shared/code-points.ts'
import { pause } from '../shared/pause.ts'
import { findInvisible } from './invisible.ts'
import { THREAT_PATTERNS } from './patterns.ts'
import { createPhraseMatcher, toTokens } from './phrase-match.ts'
import { isInScope, THREAT_PHRASES, type ThreatScope } from './phrases.ts'
import { ENTRIES_SCAN_MAX_CHARS } from './scan-limits.ts'
import { findSpanning, spanReach } from './span.ts'
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
  /** Number of white-space delimited words of `folded`. */
  readonly tokens: number
  readonly findings: ReadonlySet<string>
}

const readEntry = (entry: string): ReadEntry => {
  const reading = readThreatText(entry, THREAT_SCAN_MAX_CHARS)
  const findings = new Set([...scan(reading, 'strict'), ...(reading.isCut ? [OVERSIZE_TEXT] : [])])
  const { folded } = reading.bare ?? reading.text
  return { folded, tokens: toTokens(folded).count, findings }
}

/** The number of entries that are scanned. */
const countWithinLimit = (entries: readonly string[]): number => {
  let chars = 0
  const over = entries.findIndex((entry) => {
    chars += countCodePoints(entry)
    return chars > ENTRIES_SCAN_MAX_CHARS
  })
  return over < 0 ? entries.length : over
}

export interface MemoryScan {
  /** For one entry: the strict scan, plus `oversize_text` if it is longer than the scanned part. */
  readonly one: (entry: string) => readonly string[]
  /**
   * Findings per entry, in the given order. An instruction to the model that is split over neighbouring entries counts for each of them.
   * No wording exempts an entry, not even `[BLOCKED:` at its start. Entries beyond 32,768 code points in all are not scanned:
   * `oversize_text`.
   */
  readonly all: (entries: readonly string[]) => ReadonlyArray<readonly string[]>
  /** Reads the entries of a coming call of `all` or `some`, so that it takes little time. Other work runs in between. */
  readonly prepare: (entries: readonly string[]) => Promise<void>
  /** The findings by `all` of those entries only, in the order of `entries`. Of the others, only the neighbours are read. */
  readonly some: (entries: readonly string[], texts: ReadonlySet<string>) => ReadonlyArray<readonly string[]>
}

/** UTF-16 units that are read without a pause: more than the entries of most stores have. */
const SLICE_CHARS = 4_096

/** Reading an entry takes at least as long as so many UTF-16 units. */
const ENTRY_CHARS = 32

/** More entries than this are scanned all at once, which is faster than one by one. */
const MAX_ALONE = 3

/** A scan that remembers texts, at most so many. Its findings are the same as those of a new scan. */
export const createMemoryScan = (): MemoryScan => {
  const read = byText(readEntry)

  /** The phrases split over an entry and its neighbours. No phrase reaches further than those. */
  const splitAt = (entries: readonly string[], within: number, at: number): ReadonlySet<string> | undefined => {
    let start = at
    let end = at + 1
    for (let tokens = 0; start > 0 && tokens < spanReach(); start--) tokens += read(entries[start - 1] ?? '').tokens
    for (let tokens = 0; end < within && tokens < spanReach(); end++) tokens += read(entries[end] ?? '').tokens
    return findSpanning(entries.slice(start, end).map((entry) => read(entry).folded))[at - start]
  }

  const scanEntries = (entries: readonly string[], isWanted: (entry: string) => boolean): ReadonlyArray<readonly string[]> => {
    const within = countWithinLimit(entries)
    const wanted = entries.flatMap((entry, at) => (isWanted(entry) ? [at] : []))
    const together = wanted.length > MAX_ALONE ? findSpanning(entries.slice(0, within).map((entry) => read(entry).folded)) : undefined
    return wanted.map((at) => {
      if (at >= within) return [OVERSIZE_TEXT]
      const split = together ? together[at] : splitAt(entries, within, at)
      return [...new Set([...read(entries[at] ?? '').findings, ...(split ?? [])])].sort()
    })
  }
  return {
    one: (entry) => [...read(entry).findings].sort(),
    prepare: async (entries) => {
      let chars = 0
      for (const entry of entries.slice(0, countWithinLimit(entries))) {
        chars += entry.length + ENTRY_CHARS
        if (chars > SLICE_CHARS) {
          chars = 0
          await pause()
        }
        read(entry)
      }
    },
    all: (entries) => scanEntries(entries, () => true),
    some: (entries, texts) => scanEntries(entries, (entry) => texts.has(entry)),
  }
}

/** `one` of a new `MemoryScan`. */
export const scanMemoryText = (text: string): readonly string[] => createMemoryScan().one(text)
