/** The slots whose vectors have nearly the signs of another one. */
import type { SqlConnection } from './driver.ts'
import { rows, sql } from './statements.ts'
import { type Blob, CHUNK, signsOf, toBytes } from './vector-slots.ts'

const bitsOf = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

const toWords = (blob: Blob): Uint32Array => {
  const bytes = toBytes(blob)
  return bytes.byteOffset % 4 === 0
    ? new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
    : new Uint32Array(bytes.slice().buffer)
}

interface Known {
  readonly version: number
  readonly words: Uint32Array
}

/** What was read of each connection: reading the signs takes longer than comparing them. */
const known = new WeakMap<SqlConnection, Map<number, Known>>()

export interface ChunkRow {
  readonly chunk: number
  readonly version: number
}

/** The signs of a chunk, read again if they have changed. */
export const signWords = (db: SqlConnection, { chunk, version }: ChunkRow): Uint32Array => {
  const chunks = known.get(db) ?? new Map<number, Known>()
  known.set(db, chunks)
  const before = chunks.get(chunk)
  if (before?.version === version) return before.words
  const [found] = rows<{ signs: Blob }>(sql(db, 'select signs from vector_signs where chunk = ?').all(chunk))
  const words = found ? toWords(found.signs) : new Uint32Array(0)
  chunks.set(chunk, { version, words })
  return words
}

/** Slots by the number of signs that differ from those of the vector: the nearest first. */
export class NearSlots {
  readonly #wanted: Uint32Array
  /** `at[d]`: slots at the distance `d`. */
  readonly #at: number[][]

  constructor(vector: Float32Array) {
    this.#wanted = toWords(signsOf(vector))
    this.#at = Array.from({ length: this.#wanted.length * 32 + 1 }, () => [])
  }

  add(chunk: number, words: Uint32Array): void {
    const wanted = this.#wanted
    const size = wanted.length
    for (let place = 0, from = 0; from < words.length; place++, from += size) {
      let distance = 0
      for (let at = 0; at < size; at++) distance += bitsOf((words[from + at] ?? 0) ^ (wanted[at] ?? 0))
      this.#at[distance]?.push(chunk * CHUNK + place)
    }
  }

  nearest(most: number): readonly number[] {
    const slots: number[] = []
    for (const each of this.#at) {
      for (const slot of each) slots.push(slot)
      if (slots.length >= most) break
    }
    return slots.slice(0, most)
  }
}
