/**
 * Which entries leave a store: those to evict so that a change fits, least trusted first, then longest unconfirmed (DESIGN 3); and of those that are gone, what
 * stands for them now. Pure.
 */

import { countCodePoints } from '../shared/code-points.ts'
import { lazyPattern } from '../shared/lazy-pattern.ts'
import { ORIGINS, type Origin } from '../shared/origin.ts'
import { stripWhiteSpace, WHITE_SPACE } from '../shared/white-space.ts'
import type { MemorySource } from './facts.ts'
import { countUsedChars } from './memory-document.ts'
import { ENTRY_DELIMITER } from './memory-limits.ts'
import type { EntryFacts, EvictedEntry } from './memory-op.ts'

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

export interface LostEntry {
  readonly text: string
  /** The entry that replaced it, otherwise one that contains its whole text. */
  readonly replacedBy?: string
  /** It was removed to make room for another entry. */
  readonly evicted?: true
}

const spaces = new RegExp(`[${WHITE_SPACE}]+`, 'gu')
/** Anything that folding changes: white space other than a single space. */
const unfolded = new RegExp(`(?! )[${WHITE_SPACE}]| {2}`, 'u')

/** Equal for texts that differ only in white space. */
export const foldWhiteSpace = (text: string): string => stripWhiteSpace(unfolded.test(text) ? text.replace(spaces, ' ') : text)

const CLAUSE_END = /[.;,!?()\n。；、，]/u

const WORD = lazyPattern(String.raw`[\p{L}\p{N}]+`, 'gu')

/** Only letters and digits, with a space on both sides of each word, so that a clause is found as a run of whole words. */
const toWords = (text: string): string => ` ${(text.toLowerCase().match(WORD.read()) ?? []).join(' ')} `

/** The first entry that contains every clause of the text. */
const findWhole = (text: string, entries: readonly string[]): string | undefined => {
  const clauses = text.split(CLAUSE_END).flatMap((clause) => (clause.search(WORD.read()) >= 0 ? [toWords(clause)] : []))
  if (clauses.length === 0) return undefined
  const words = new Set(clauses.flatMap((clause) => clause.split(' ')))
  return entries.find((entry) => {
    // Most entries lack a word, which is found out sooner than their own words.
    const lower = entry.toLowerCase()
    for (const word of words) if (!lower.includes(word)) return false
    const said = toWords(entry)
    return clauses.every((clause) => said.includes(clause))
  })
}

/** Follows repeated replacements within one batch. */
const followReplacements = (text: string, replacements: ReadonlyMap<string, string>, standing: ReadonlySet<string>): string | undefined => {
  let last = text
  for (let step = 0; step < replacements.size; step++) {
    const next = replacements.get(last)
    if (next === undefined || standing.has(next)) return next
    last = next
  }
  return undefined
}

interface CompletedChange {
  readonly entries: readonly string[]
  /** Maps each replaced text to its replacement. */
  readonly replacements: ReadonlyMap<string, string>
  readonly evicted: readonly EvictedEntry[]
}

/** The entries that a change has removed, in the order of `before`. An entry is not lost if the store has one that differs only in white space. */
export const findLost = (before: readonly string[], { entries, replacements, evicted }: CompletedChange): readonly LostEntry[] => {
  const standing = new Set(entries)
  const gone = before.filter((entry) => !standing.has(entry))
  if (gone.length === 0) return []
  const folded = new Set(entries.map(foldWhiteSpace))
  const crowdedOut = new Set(evicted.map(({ text }) => text))
  return gone
    .filter((entry) => !folded.has(foldWhiteSpace(entry)))
    .map((text) => {
      const replacedBy = followReplacements(text, replacements, standing) ?? findWhole(text, entries)
      return {
        text,
        ...(replacedBy === undefined ? {} : { replacedBy }),
        ...(crowdedOut.has(text) ? { evicted: true as const } : {}),
      }
    })
}
