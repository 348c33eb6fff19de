/** Finds the one entry that a person names: by its number in `hermes memory show`, by its text, or by a part that no other entry contains. */

import type { MemoryTarget } from '@hermes/core'
import type { EntryFacts } from '@hermes/core/memory'
import { type Failure, usage } from '../../answer.ts'
import type { Context } from '../../context.ts'
import type { Found } from '../../find-by-id.ts'
import { oneLine } from '../../terminal/clean-text.ts'
import { entryRef, FILES, storesOf } from './memory-view.ts'
import { openMemory } from './open-memory.ts'

export interface NamedEntry extends EntryFacts {
  readonly target: MemoryTarget
  /** As `entryRef` returns it. */
  readonly ref: string
}

const isEntryRef = (text: string): boolean => /^(?:memory|user|project|profile):\d+$/.test(text)

/** Of all stores, or of the one that is named; `unread`: why a store could not be read. */
export const listEntries = async (named: MemoryTarget | undefined, context: Context) => {
  const store = openMemory(context, () => {})
  const entries: NamedEntry[] = []
  let unread: Failure | undefined
  for (const target of named === undefined ? [...storesOf(context), 'profile' as const] : [named]) {
    const facts = await store.facts(target)
    if (facts.ok) entries.push(...facts.value.map((fact, index) => ({ ...fact, target, ref: entryRef(target, index) })))
    else unread = facts.error
  }
  return { entries, ...(unread ? { unread } : {}) }
}

/** Equal entries of one store count as one. */
const distinct = (entries: readonly NamedEntry[]): readonly NamedEntry[] =>
  entries.filter(({ target, entry }, at) => entries.findIndex((other) => other.target === target && other.entry === entry) === at)

/** The entry with this number; `undefined` for a text of any other form. */
export const findByNumber = async (text: string, context: Context): Promise<Found<NamedEntry> | undefined> =>
  isEntryRef(text) ? findEntry(text, undefined, context) : undefined

/** The matches of the strictest kind that has any. A number matches nothing but the entry with this number. */
const matchesOf = (wanted: string, entries: readonly NamedEntry[]): readonly NamedEntry[] => {
  const folded = wanted.toLowerCase()
  const kinds: readonly ((entry: NamedEntry) => boolean)[] = [
    ({ entry }) => entry === wanted,
    ({ ref }) => ref === wanted,
    ...(isEntryRef(wanted)
      ? []
      : [({ entry }: NamedEntry) => entry.includes(wanted), ({ entry }: NamedEntry) => entry.toLowerCase().includes(folded)]),
  ]
  for (const isMatch of kinds) {
    const matches = distinct(entries.filter(isMatch))
    if (matches.length > 0) return matches
  }
  return []
}

const notFound = (wanted: string, named: MemoryTarget | undefined): Failure => {
  const files = named === undefined ? 'MEMORY.md or USER.md' : FILES[named]
  const what = isEntryRef(wanted) ? `There is no entry ${wanted}` : `No entry of ${files} contains '${wanted}'`
  return { code: 'not_found', message: `${what}. 'hermes memory show' lists the entries with their numbers.` }
}

/** `named`: the store that `--to` names. Upper and lower case count only if several entries differ in nothing else. */
export const findEntry = async (text: string, named: MemoryTarget | undefined, context: Context): Promise<Found<NamedEntry>> => {
  const wanted = text.trim().replace(/\r\n?/g, '\n')
  if (wanted === '') {
    const message =
      "The text that names the entry is empty. Give a part of the entry, or its number in 'hermes memory show', such as user:2."
    return { ok: false, error: usage(message) }
  }
  const { entries, unread } = await listEntries(named, context)
  const matches = matchesOf(wanted, entries)
  const [found, ...others] = matches
  const shown = oneLine(wanted).slice(0, 80)
  // Its entry may be in the store that cannot be read.
  if (!found) return { ok: false, error: unread ?? notFound(shown, named) }
  if (others.length === 0) return { ok: true, value: found }
  const candidates = matches.map(({ ref }) => ref)
  const message = `${matches.length} entries contain '${shown}': ${candidates.join(', ')}. Name one of them, or give more of its text.`
  return { ok: false, error: { code: 'ambiguous', message, details: { candidates } } }
}
