/** In which order the skills of the catalogue are shown, and in which they give way when there are too many. */
import { byCodeUnit } from '../storage/document-tree.ts'
import type { CatalogEntry } from './catalog-entry.ts'

const isStale = ({ state }: CatalogEntry): number => (state === 'stale' ? 1 : 0)

const byPlace = (a: CatalogEntry, b: CatalogEntry): number =>
  byCodeUnit(a.category ?? '', b.category ?? '') ||
  byCodeUnit(a.name, b.name) ||
  byCodeUnit(a.path ?? '', b.path ?? '') ||
  byCodeUnit(a.description, b.description)

/** Stale ones last; then by category and name. */
export const byCatalogOrder = (a: CatalogEntry, b: CatalogEntry): number => isStale(a) - isStale(b) || byPlace(a, b)

/** The most worth keeping first: pinned before others, active before stale, then the most recently active. */
export const byWorth = (a: CatalogEntry, b: CatalogEntry): number =>
  Number(b.pinned) - Number(a.pinned) || isStale(a) - isStale(b) || b.lastActivityAt - a.lastActivityAt || byPlace(a, b)

/** The names that several skills answer to, by front matter or by folder. */
export const sharedNamesOf = (entries: readonly CatalogEntry[]): ReadonlySet<string> => {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const { name, path } of entries) {
    for (const answer of new Set([name, ...(path === undefined ? [] : [path.slice(path.lastIndexOf('/') + 1)])])) {
      if (seen.has(answer)) shared.add(answer)
      seen.add(answer)
    }
  }
  return shared
}
