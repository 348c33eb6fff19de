/** What is derived from the items: made anew, and checked. */
import type { RecallIndexHome } from '@hermes/recall'
import type { Query, SqlValue } from '../drivers/driver.ts'
import type { SchemaNames } from '../schema/schema-name.ts'
import { derivedEntry, inGroups, itemColumns, toNumberedItem } from './item-rows.ts'

const PIECE = 100

export interface Derivation {
  /** Resolves to true if items were derived with an older version of the terms. */
  readonly isOutdated: () => Promise<boolean>
  /** In pieces; stops between two of them if `signal` fires. `only`: those of an older version. */
  readonly derive: (which: 'all' | 'outdated', progress?: (done: number, of: number) => void, signal?: AbortSignal) => Promise<void>
  readonly check: () => Promise<readonly string[]>
}

export const createDerivation = (
  { query, names }: { readonly query: Query; readonly names: SchemaNames },
  home: Pick<RecallIndexHome, 'folder' | 'termsOf' | 'termsVersion'>,
): Derivation => {
  const { folder, termsVersion } = home
  const place = `(select no from ${names.recallHomes} where home = $1::text)`
  const filters = { all: 'true', outdated: 'terms_version < $2::integer' }

  const count = async (which: 'all' | 'outdated'): Promise<number> => {
    const statement = `select count(*)::text as items from ${names.recallItems} where home_no = ${place} and ($2::integer is not null) and ${filters[which]}`
    const [row] = await query(statement, [folder, termsVersion])
    return Number(row?.['items'])
  }

  const readPiece = async (which: 'all' | 'outdated', since: string) => {
    const statement = `
select ${itemColumns('item')} from ${names.recallItems} as item
  where item.home_no = ${place} and ($2::integer is not null) and ${filters[which]} and item.no > $3::text::bigint order by item.no limit ${PIECE}`
    return (await query(statement, [folder, termsVersion, since])).map(toNumberedItem)
  }

  const write = async (entries: string): Promise<number> => {
    const statement = `select ${names.recallDerive}($1::text, $2::integer, $3::text)::text as items`
    const [row] = await query(statement, [folder, termsVersion, entries])
    return Number(row?.['items'])
  }

  const derive: Derivation['derive'] = async (which, progress, signal) => {
    const of = await count(which)
    let done = 0
    progress?.(done, of)
    for (let piece = await readPiece(which, '0'); piece.length > 0; piece = await readPiece(which, piece.at(-1)?.no ?? '')) {
      if (signal?.aborted) return
      await inGroups(piece, (numbered) => derivedEntry(home, numbered), write)
      done += piece.length
      progress?.(Math.min(done, of), of)
    }
    if (signal?.aborted) return
    await query(`select ${names.recallRecount}($1::text, $2::integer)::text as done`, [folder, termsVersion])
  }

  return {
    isOutdated: async () => {
      const statement = `
select exists (select from ${names.recallItems} where home_no = ${place} and terms_version < $2::integer)::text as outdated`
      const [row] = await query(statement, [folder, termsVersion])
      return row?.['outdated'] === 'true'
    },

    derive,

    async check() {
      const values: readonly SqlValue[] = [folder, termsVersion]
      const statement = `
with item as materialized (select length, tokens, counts, terms_version from ${names.recallItems} where home_no = ${place}),
counted as materialized (select token, count(*) as items from item cross join lateral unnest(tokens) as token group by token),
noted as materialized (select token, items from ${names.recallTerms} where home_no = ${place})
select
  (select count(*) from item where terms_version < $2::integer)::text as outdated,
  (select count(*) from item where cardinality(tokens) <> cardinality(counts))::text as torn,
  (select count(*) from counted full join noted using (token) where counted.items is distinct from noted.items)::text as wrong,
  (select count(*) from ${names.recallHomes} as home where home.no = ${place}
    and (home.items <> (select count(*) from item) or abs(home.length - (select coalesce(sum(length), 0) from item)) > 0.5))::text as sums`
      const [row = {}] = await query(statement, values)
      const problems: readonly (readonly [name: string, text: (count: number) => string])[] = [
        ['outdated', (items) => `${items} items were indexed by an older version.`],
        ['torn', (items) => `${items} items have unequal lists of terms and counts.`],
        ['wrong', (terms) => `${terms} terms have a wrong number of items.`],
        ['sums', () => 'The number of items or their mean length is wrong.'],
      ]
      return problems.flatMap(([name, text]) => {
        const found = Number(row[name])
        return found > 0 ? [`${text(found)} Run: hermes reindex`] : []
      })
    },
  }
}
