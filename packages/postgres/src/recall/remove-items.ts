/** Items that are forgotten, pruned or no longer archived. A decision that needs their text is made in this process, piece by piece. */
import type { HomeRecallIndex, RecallItem } from '@hermes/recall'
import type { Query, Row, SqlValue } from '../drivers/driver.ts'
import type { SchemaNames } from '../schema/schema-name.ts'
import { itemColumns, toNumberedItem } from './item-rows.ts'

type ForgetTarget = Parameters<HomeRecallIndex['forget']>[0]
type TextTarget = Extract<ForgetTarget, { readonly kind: 'text' }>

const PIECE = 100
const REMOVED_AT_ONCE = 500

export interface Removal {
  readonly forget: (target: ForgetTarget) => Promise<number>
  readonly prune: (before: number) => Promise<number>
  /** Removes archived items that are not among these. */
  readonly keepArchived: (items: readonly RecallItem[]) => Promise<void>
}

const matchesAny = ({ matches }: TextTarget, { user, answer, source }: RecallItem): boolean =>
  matches(user) || matches(answer) || matches(source)

const numbersOf = (rows: readonly Row[]): readonly string[] => rows.map((row) => String(row['no']))

export const createRemoval = (query: Query, names: SchemaNames, home: string): Removal => {
  const place = `(select no from ${names.recallHomes} where home = $1::text)`

  const remove = async (numbers: readonly string[]): Promise<number> => {
    let removed = 0
    for (let start = 0; start < numbers.length; start += REMOVED_AT_ONCE) {
      const group = numbers.slice(start, start + REMOVED_AT_ONCE).join(',')
      const [row] = await query(`select ${names.recallRemove}($1::text, $2::text)::text as items`, [home, group])
      removed += Number(row?.['items'])
    }
    return removed
  }

  const select = (condition: string, values: readonly SqlValue[]): Promise<readonly Row[]> =>
    query(`select no::text as no from ${names.recallItems} where home_no = ${place} and ${condition} order by no`, [home, ...values])

  const matching = async (target: TextTarget): Promise<readonly string[]> => {
    const statement = `
select ${itemColumns('item')} from ${names.recallItems} as item
  where item.home_no = ${place} and item.no > $2::text::bigint order by item.no limit ${PIECE}`
    const numbers: string[] = []
    let since = '0'
    for (;;) {
      const piece = (await query(statement, [home, since])).map(toNumberedItem)
      numbers.push(...piece.filter(({ item }) => matchesAny(target, item)).map(({ no }) => no))
      since = piece.at(-1)?.no ?? since
      if (piece.length < PIECE) return numbers
    }
  }

  const countAll = async (): Promise<number> => {
    const [row] = await query(`select count(*)::text as items from ${names.recallItems} where home_no = ${place}`, [home])
    return Number(row?.['items'])
  }

  const eraseAll = async (): Promise<number> => {
    const [row] = await query(`select ${names.recallErase}($1::text)::text as items`, [home])
    return Number(row?.['items'])
  }

  return {
    async forget(target) {
      if (target.kind === 'all') return target.dryRun ? countAll() : eraseAll()
      const numbers =
        target.kind === 'text' ? await matching(target) : numbersOf(await select(`kind = 'turn' and source = $2::text`, [target.sessionId]))
      return target.dryRun ? numbers.length : remove(numbers)
    },

    prune: async (before) => remove(numbersOf(await select(`kind = 'turn' and at < $2::float8`, [before]))),

    async keepArchived(items) {
      const kept = JSON.stringify(items.map(({ kind, id }) => [kind, id]))
      const condition = `kind <> 'turn' and not jsonb_build_array(kind, id) in (select jsonb_array_elements($2::text::jsonb))`
      await remove(numbersOf(await select(condition, [kept])))
    },
  }
}
