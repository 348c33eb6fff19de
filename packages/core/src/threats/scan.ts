/**
 * Finds text that tries to steer, spy on or hide from the agent. Texts are scanned before they are stored and again before they are shown
 * (reference hermes-memory 7).
 */
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

/** The range around an entry outside of which no phrase reaches into it, `end` exclusive. */
const rangeAround = (entries: readonly ReadEntry[], at: number): { readonly start: number; readonly end: number } => {
  let start = at
  let end = at + 1
  for (let tokens = 0; start > 0 && tokens < spanReach(); start--) tokens += entries[start - 1]?.tokens ?? 0
  for (let tokens = 0; end < entries.length && tokens < spanReach(); end++) tokens += entries[end]?.tokens ?? 0
  return { start, end }
}

const spanningAt = (entries: readonly ReadEntry[], at: number): ReadonlySet<string> => {
  const { start, end } = rangeAround(entries, at)
  return findSpanning(entries.slice(start, end).map(({ folded }) => folded))[at - start] ?? new Set()
}

/** More entries than this are scanned all at once, which is faster than one by one. */
const MAX_ALONE = 3

/** For each entry, the phrases that are split over it and its neighbours. Entries that are not `wanted` may have none. */
const findSplit = (entries: readonly ReadEntry[], wanted: readonly boolean[]): ReadonlyArray<ReadonlySet<string> | undefined> =>
  wanted.filter(Boolean).length > MAX_ALONE
    ? findSpanning(entries.map(({ folded }) => folded))
    : entries.map((_, at) => (wanted[at] ? spanningAt(entries, at) : undefined))

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
  /** The findings by `all` of those entries only, in the order of `entries`; faster if they are few. */
  readonly some: (entries: readonly string[], texts: ReadonlySet<string>) => ReadonlyArray<readonly string[]>
}

/** UTF-16 units that are read without a pause: more than the entries of most stores have. */
const SLICE_CHARS = 4_096

/** Reading an entry takes at least as long as so many UTF-16 units. */
const ENTRY_CHARS = 32

/** Texts remembered from calls of `one` between two calls of `all` or `some`, such as for the operations of a batch. */
const MAX_REMEMBERED = 64

/**
 * A scan that remembers recent texts: the entries of the last call of `all` or `some`, and at most 64 texts of later calls of `one`. Its findings
 * are the same as those of a new scan.
 */
export const createMemoryScan = (): MemoryScan => {
  let remembered: ReadonlyMap<string, ReadEntry> = new Map()
  const read = (entry: string): ReadEntry => remembered.get(entry) ?? readEntry(entry)
  const scanEntries = (entries: readonly string[], isWanted: (entry: string) => boolean): ReadonlyArray<readonly string[]> => {
    const readEntries = entries.slice(0, countWithinLimit(entries)).map((entry) => [entry, read(entry)] as const)
    remembered = new Map(readEntries)
    const wanted = entries.map(isWanted)
    const split = findSplit(
      readEntries.map(([, each]) => each),
      wanted.slice(0, readEntries.length),
    )
    return entries.flatMap((_, at) => {
      if (!wanted[at]) return []
      const findings = readEntries[at]?.[1].findings
      return [findings ? [...new Set([...findings, ...(split[at] ?? [])])].sort() : [OVERSIZE_TEXT]]
    })
  }
  return {
    one: (entry) => {
      const found = read(entry)
      if (remembered.size < MAX_REMEMBERED && countCodePoints(entry) <= ENTRIES_SCAN_MAX_CHARS)
        remembered = new Map(remembered).set(entry, found)
      return [...found.findings].sort()
    },
    prepare: async (entries) => {
      const prepared = new Map<string, ReadEntry>()
      let chars = 0
      for (const entry of entries.slice(0, countWithinLimit(entries))) {
        chars += entry.length + ENTRY_CHARS
        if (chars > SLICE_CHARS) {
          chars = 0
          await pause()
        }
        prepared.set(entry, read(entry))
      }
      remembered = prepared
    },
    all: (entries) => scanEntries(entries, () => true),
    some: (entries, texts) => scanEntries(entries, (entry) => texts.has(entry)),
  }
}

/** `one` of a new `MemoryScan`. */
export const scanMemoryText = (text: string): readonly string[] => createMemoryScan().one(text)
