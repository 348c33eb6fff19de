/**
 * Chooses the entries to evict from a full store so that a change fits: least trusted first, then longest unconfirmed (DESIGN 3). Pure.
 */

import { countCodePoints } from '../shared/code-points.ts'
import { ORIGINS, type Origin } from '../shared/origin.ts'
import { countUsedChars } from './char-budget.ts'
import type { EntryFacts, EvictedEntry } from './entry-facts.ts'
import { ENTRY_DELIMITER } from './entry-list.ts'
import type { MemorySource } from './facts.ts'

/** What may be evicted for a change. */
export interface Room {
  /** The source of the change. */
  readonly source: MemorySource | undefined
  /** By entry text; an entry that is not listed is kept. */
  readonly facts: ReadonlyMap<string, EntryFacts>
}

export interface CrowdedChange {
  /** The entries after the change. */
  readonly entries: readonly string[]
  /** Texts that the change writes or confirms. */
  readonly named: ReadonlySet<string>
  /** Texts that the change itself removes. */
  readonly previous: readonly string[]
  /** Code points, delimiters included. */
  readonly charLimit: number
}

interface Candidate extends EvictedEntry {
  readonly facts: EntryFacts
  /** Code points, its delimiter included. */
  readonly chars: number
}

const DELIMITER_CHARS = countCodePoints(ENTRY_DELIMITER)

const trustOf = (origin: Origin): number => ORIGINS.indexOf(origin)

/**
 * The origin that decides what may be evicted; the agent's own text counts as `tool` if it replaces an entry from outside. Undefined for an entry that counts
 * as hand-written, such as of an import: it may evict any that is not.
 */
const authorityOf = ({ source, facts }: Room, previous: readonly string[]): Origin | undefined => {
  if (source?.sight === 'outside') return 'tool'
  if (source?.raises || source?.origin === 'user' || source?.origin === 'host') return source.origin
  return previous.some((entry) => facts.get(entry)?.origin === 'tool') ? 'tool' : source?.origin
}

/** Of equals, the first in the store goes first. */
const byWorth = (a: Candidate, b: Candidate): number =>
  trustOf(b.origin) - trustOf(a.origin) || a.facts.lastConfirmedAt - b.facts.lastConfirmedAt || a.facts.firstSeenAt - b.facts.firstSeenAt

/** As few entries as needed, the least valuable first. `undefined` if the change does not fit even then. */
export const makeRoom = (change: CrowdedChange, room: Room): readonly EvictedEntry[] | undefined => {
  const { entries, named, previous, charLimit } = change
  const authority = authorityOf(room, previous)
  const candidates = entries.flatMap((text): Candidate[] => {
    const facts = room.facts.get(text)
    if (!facts || facts.origin === 'external' || facts.pinned || named.has(text)) return []
    if (authority !== undefined && trustOf(facts.origin) < trustOf(authority)) return []
    return [{ text, origin: facts.origin, facts, chars: countCodePoints(text) + DELIMITER_CHARS }]
  })
  candidates.sort(byWorth)
  let over = countUsedChars(entries) - charLimit
  for (const { chars } of candidates) over -= chars
  if (over > 0) return undefined
  const staying = new Set<Candidate>()
  for (const candidate of candidates.toReversed()) {
    if (over + candidate.chars > 0) continue
    staying.add(candidate)
    over += candidate.chars
  }
  return candidates.filter((candidate) => !staying.has(candidate)).map(({ text, origin }) => ({ text, origin }))
}
