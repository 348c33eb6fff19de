/** Finds the entries that a change removes from a store, and the entries that replace them. Pure. */
import { stripWhiteSpace, WHITE_SPACE } from '../../shared/white-space.ts'
import type { PlannedChange } from '../plan-change.ts'

export interface LostEntry {
  readonly text: string
  /** The entry that replaced it, otherwise one that contains its whole text. */
  readonly replacedBy?: string
  /** It was removed to make room for another entry. */
  readonly evicted?: true
}

const spaces = new RegExp(`[${WHITE_SPACE}]+`, 'gu')

/** Equal for texts that differ only in white space. */
export const foldWhiteSpace = (text: string): string => stripWhiteSpace(text.replace(spaces, ' '))

const CLAUSE_END = /[.;,!?()\n。；、，]/u

/** Only letters and digits, with a space on both sides of each word, so that a clause is found as a run of whole words. */
const toWords = (text: string): string => ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `

const saysAllOf = (text: string, standing: string): boolean => {
  const words = toWords(standing)
  const clauses = text.split(CLAUSE_END).filter((clause) => /[\p{L}\p{N}]/u.test(clause))
  return clauses.length > 0 && clauses.every((clause) => words.includes(toWords(clause)))
}

/** Follows repeated replacements within one batch. */
const followReplacements = (text: string, replacements: ReadonlyMap<string, string>, standing: ReadonlySet<string>): string | undefined => {
  let next = replacements.get(text)
  for (let step = 0; next !== undefined && !standing.has(next) && step < replacements.size; step++) next = replacements.get(next)
  return next !== undefined && standing.has(next) ? next : undefined
}

/** In the order of `before`. An entry is not lost if the store has one that differs only in white space. */
export const findLost = (before: readonly string[], { entries, replacements, evicted, writes }: PlannedChange): readonly LostEntry[] => {
  if (!writes) return []
  const standing = new Set(entries)
  const gone = before.filter((entry) => !standing.has(entry))
  if (gone.length === 0) return []
  const folded = new Set(entries.map(foldWhiteSpace))
  const crowdedOut = new Set(evicted.map(({ text }) => text))
  return gone
    .filter((entry) => !folded.has(foldWhiteSpace(entry)))
    .map((text) => {
      const replacedBy = followReplacements(text, replacements, standing) ?? entries.find((entry) => saysAllOf(text, entry))
      return {
        text,
        ...(replacedBy === undefined ? {} : { replacedBy }),
        ...(crowdedOut.has(text) ? { evicted: true as const } : {}),
      }
    })
}
