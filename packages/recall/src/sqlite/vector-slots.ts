/** Where the vectors of a model are: numbered slots, and one bit for each number of a vector in chunks of many slots. Inside a transaction of the caller. */
import type { SqlConnection } from './driver.ts'
import { rows, sql } from './statements.ts'

/** Slots of a model. */
export const SLOTS = 2 ** 32
/** Slots of a row of signs: a power of two that divides `SLOTS`. */
export const CHUNK = 1_024

export type Blob = Uint8Array | ArrayBuffer

/** libsql returns an ArrayBuffer, node:sqlite an array of bytes. */
export const toBytes = (blob: Blob): Uint8Array => (blob instanceof ArrayBuffer ? new Uint8Array(blob) : blob)

/** Bytes for the signs of a vector: a multiple of four. */
const signBytes = (dimensions: number): number => Math.ceil(dimensions / 32) * 4

export const signsOf = (vector: Float32Array): Uint8Array => {
  const signs = new Uint8Array(signBytes(vector.length))
  for (const [at, number] of vector.entries()) if (number > 0) signs[at >> 3] = (signs[at >> 3] ?? 0) | (1 << (at & 7))
  return signs
}

export type SlotSigns = readonly [slot: number, signs: Uint8Array]

/** A version as large as a number is exact. */
const WRITE = 'insert or replace into vector_signs (chunk, version, signs) values (?, random() >> 11, ?)'

/** Writes signs at the places of their slots; zeros for a slot that is free. */
export const writeSigns = (db: SqlConnection, entries: readonly SlotSigns[]): void => {
  const chunks = new Map<number, SlotSigns[]>()
  for (const entry of entries) {
    const chunk = Math.floor(entry[0] / CHUNK)
    chunks.set(chunk, [...(chunks.get(chunk) ?? []), entry])
  }
  for (const [chunk, inChunk] of chunks) {
    const size = inChunk[0]?.[1].length ?? 0
    const [found] = rows<{ signs: Blob }>(sql(db, 'select signs from vector_signs where chunk = ?').all(chunk))
    const bytes = found ? toBytes(found.signs) : new Uint8Array(CHUNK * size)
    for (const [slot, signs] of inChunk) bytes.set(signs, (slot % CHUNK) * size)
    sql(db, WRITE).run(chunk, bytes)
  }
}

interface Held {
  readonly slot: number
  readonly dimensions: number
}

const HELD = `select slot, (select dimensions from vector_models where no = slot / ${SLOTS}) as dimensions from vectors where n = ?`

/** Removes vectors of items: of all models, or of the one with this number. */
export const removeVectors = (db: SqlConnection, ns: readonly number[], model?: number): void => {
  const held = ns.flatMap((n) => rows<Held>(sql(db, HELD).all(n)))
  const removed = model === undefined ? held : held.filter(({ slot }) => Math.floor(slot / SLOTS) === model)
  for (const { slot } of removed) sql(db, 'delete from vectors where slot = ?').run(slot)
  writeSigns(
    db,
    removed.map(({ slot, dimensions }) => [slot, new Uint8Array(signBytes(dimensions))]),
  )
}
