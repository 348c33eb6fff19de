/** Finds the entries that a change removes from a store, and the entries that replace them. Pure. */
import { latePattern } from '../shared/late-pattern.ts'
import { stripWhiteSpace, WHITE_SPACE } from '../shared/white-space.ts'
import type { PlannedChange } from './plan-change.ts'

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

const WORD = latePattern(String.raw`[\p{L}\p{N}]+`, 'gu')

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

/** In the order of `before`. An entry is not lost if the store has one that differs only in white space. */
export const findLost = (before: readonly string[], { entries, replacements, evicted }: PlannedChange): readonly LostEntry[] => {
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
