/** Copies what can be read of a damaged database. */
import { setImmediate } from 'node:timers/promises'
import type { RecallItem } from '../recall-index.ts'
import type { OpenConnection, SqlConnection } from './driver.ts'
import { type ItemRow, toItem } from './items.ts'

export interface Salvage {
  readonly copied: number
  /** False if some of it could not be read. */
  readonly isComplete: boolean
}

const PIECE = 40
/** Numbers to try where the largest one cannot be read. */
const MOST_NUMBERS = 10_000_000

const isWhole = (row: ItemRow): boolean =>
  [row.kind, row.id, row.source, row.user, row.answer].every((text) => typeof text === 'string') &&
  typeof row.at === 'number' &&
  ['turn', 'entry', 'skill'].includes(row.kind)

const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

const largestNumber = (db: SqlConnection, bytes: number): number => {
  const ways = [
    "select seq as n from sqlite_sequence where name = 'items'",
    'select max(n) as n from items',
    'select max(n) as n from items indexed by items_by_time',
  ]
  for (const way of ways) {
    const n = attempt(() => (db.prepare(way).get() as { readonly n: unknown } | undefined)?.n)
    if (typeof n === 'number' && n >= 0 && n < MOST_NUMBERS) return n
  }
  // An item occupies at least this.
  return Math.min(MOST_NUMBERS, Math.ceil(bytes / 64))
}

interface Piece {
  readonly rows: readonly ItemRow[]
  readonly failed: number
}

const readPiece = (db: SqlConnection, from: number): Piece => {
  const whole = attempt(() => db.prepare('select * from items where n > ? and n <= ? order by n').all(from, from + PIECE) as ItemRow[])
  if (whole?.every(isWhole)) return { rows: whole, failed: 0 }
  const one = db.prepare('select * from items where n = ?')
  const single = Array.from({ length: PIECE }, (_, index) => attempt(() => ({ row: one.get(from + 1 + index) as ItemRow | undefined })))
  const found = single.flatMap((each) => (each?.row ? [each.row] : []))
  const usable = found.filter(isWhole)
  return { rows: usable, failed: single.filter((each) => each === undefined).length + found.length - usable.length }
}

/** `keep`: stores items, a known one once. Ends early if `isStopped`. */
export const salvage = async (
  file: string,
  bytes: number,
  openConnection: OpenConnection,
  keep: (items: readonly RecallItem[]) => Promise<unknown>,
  isStopped: () => boolean,
): Promise<Salvage | undefined> => {
  const db = attempt(() => openConnection(file))
  if (!db) return { copied: 0, isComplete: false }
  let copied = 0
  let failed = 0
  try {
    const largest = attempt(() => largestNumber(db, bytes)) ?? 0
    if (attempt(() => db.prepare('select n from items limit 1')) === undefined) return { copied, isComplete: false }
    for (let from = 0; from < largest; from += PIECE) {
      if (isStopped()) return undefined
      const piece = readPiece(db, from)
      failed += piece.failed
      if (piece.rows.length > 0 && !isStopped()) await keep(piece.rows.map(toItem))
      copied += piece.rows.length
      await setImmediate()
    }
    return { copied, isComplete: failed === 0 }
  } finally {
    attempt(() => db.close())
  }
}
