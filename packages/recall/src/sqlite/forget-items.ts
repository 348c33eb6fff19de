/** Finds the items that are to be forgotten, in pieces. */
import type { ProviderForgetTarget } from '@hermes/core/provider'
import type { SqlConnection } from './driver.ts'
import type { ItemRow } from './items.ts'
import { rows, sql } from './statements.ts'

type Found = Pick<ItemRow, 'n' | 'kind' | 'source' | 'length'>

export interface FoundPiece {
  readonly found: readonly Found[]
  /** Where the next piece begins; undefined at the end. */
  readonly next: number | undefined
}

const PIECE_MS = 5
const PIECE_ITEMS = 40

export type ItemTarget = Exclude<ProviderForgetTarget, { readonly kind: 'all' }> | { readonly kind: 'before'; readonly before: number }

const isMeant = (target: ItemTarget & { readonly kind: 'text' }, row: ItemRow): boolean =>
  [row.user, row.answer, row.source, row.id].some((text) => target.matches(text))

const withText = (db: SqlConnection, target: ItemTarget & { readonly kind: 'text' }, from: number): FoundPiece => {
  const end = performance.now() + PIECE_MS
  const found: Found[] = []
  const piece = rows<ItemRow>(sql(db, `select * from items where n > ? order by n limit ${PIECE_ITEMS}`).all(from))
  let next = from
  for (const row of piece) {
    if (isMeant(target, row)) found.push(row)
    next = row.n
    if (performance.now() > end) break
  }
  return { found, next: piece.length === 0 ? undefined : next }
}

/** Items from the number `from` on that are meant. */
export const findItems = (db: SqlConnection, target: ItemTarget, from: number): FoundPiece => {
  if (target.kind === 'text') return withText(db, target, from)
  const columns = 'select n, kind, source, length from items'
  const found =
    target.kind === 'session'
      ? rows<Found>(
          sql(db, `${columns} where source = ? and kind = 'turn' and n > ? order by n limit ${PIECE_ITEMS}`).all(target.sessionId, from),
        )
      : rows<Found>(sql(db, `${columns} where at < ? and kind = 'turn' and n > ? order by n limit ${PIECE_ITEMS}`).all(target.before, from))
  return { found, next: found.at(-1)?.n }
}
