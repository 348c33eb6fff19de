/** Vectors of items, compared one by one, in pieces. */
import { endianness } from 'node:os'
import type { IndexHit, VectorIndex } from '../recall-index.ts'
import type { SqlConnection } from './driver.ts'
import { type ItemRow, toItem } from './items.ts'
import type { RecallFile } from './recall-file.ts'
import { readHits, spanOf } from './search-terms.ts'
import { rows, sql } from './statements.ts'

const PIECE = 400

/** Stored as little-endian floats of length 1, so that a product is the cosine. */
const toBytes = (vector: Float32Array): Uint8Array => {
  const norm = Math.hypot(...vector) || 1
  const bytes = new Uint8Array(vector.length * 4)
  const view = new DataView(bytes.buffer)
  for (const [index, value] of vector.entries()) view.setFloat32(index * 4, value / norm, true)
  return bytes
}

const isLittle = endianness() === 'LE'

/** libsql returns an ArrayBuffer, node:sqlite an array of bytes. */
const toVector = (blob: Uint8Array | ArrayBuffer): Float32Array => {
  const bytes = blob instanceof ArrayBuffer ? new Uint8Array(blob) : blob
  if (isLittle && bytes.byteOffset % 4 === 0) return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float32Array.from({ length: bytes.byteLength / 4 }, (_, index) => view.getFloat32(index * 4, true))
}

const product = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0)
  return sum
}

interface Scored {
  readonly n: number
  readonly score: number
}

interface VectorPiece {
  readonly scored: readonly Scored[]
  readonly next: number | undefined
}

const SET = `insert into vectors (n, model, vector) select n, ?, ? from items where kind = ? and id = ?
on conflict (n) do update set model = excluded.model, vector = excluded.vector`

export const sqliteVectors = (file: RecallFile): VectorIndex => ({
  missing: (model, limit) =>
    file.read(
      (db: SqlConnection) =>
        rows<ItemRow>(
          sql(
            db,
            `select items.* from items left join vectors on vectors.n = items.n
where vectors.n is null or vectors.model <> ? order by items.n desc limit ?`,
          ).all(model, limit),
        ).map(toItem),
      [],
    ),
  async set(model, vectors) {
    for (let from = 0; from < vectors.length; from += 20) {
      const piece = vectors.slice(from, from + 20)
      await file.change<void>((db) => {
        for (const { kind, id, vector } of piece) sql(db, SET).run(model, toBytes(vector), kind, id)
      }, undefined)
    }
  },
  async nearest(model, vector, search) {
    const wanted = toVector(toBytes(vector))
    const { where, values } = spanOf(search)
    let best: readonly Scored[] = []
    for (let from: number | undefined = 0; from !== undefined; ) {
      const piece: VectorPiece = await file.read<VectorPiece>(
        (db) => {
          const text = `select items.n as n, vectors.vector as vector from vectors join items on items.n = vectors.n
where vectors.n > ? and vectors.model = ?${where} order by vectors.n limit ${PIECE}`
          const found = rows<{ n: number; vector: Uint8Array | ArrayBuffer }>(sql(db, text).all(from ?? 0, model, ...values))
          const comparable = found.filter((row) => row.vector.byteLength === wanted.byteLength)
          return { scored: comparable.map((row) => ({ n: row.n, score: product(wanted, toVector(row.vector)) })), next: found.at(-1)?.n }
        },
        { scored: [], next: undefined },
      )
      best = [...best, ...piece.scored].sort((a, b) => b.score - a.score).slice(0, search.limit)
      from = piece.next
    }
    return file.read<readonly IndexHit[]>((db) => readHits(db, best), [])
  },
})
