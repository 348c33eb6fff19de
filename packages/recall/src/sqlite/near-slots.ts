/** The slots whose vectors have nearly the signs of another one. Pure. */
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

/** Slots by the number of signs that differ from those of the vector: the nearest first. */
export class NearSlots {
  readonly #wanted: Uint32Array
  /** `at[d]`: slots at the distance `d`. */
  readonly #at: number[][]

  constructor(vector: Float32Array) {
    this.#wanted = toWords(signsOf(vector))
    this.#at = Array.from({ length: this.#wanted.length * 32 + 1 }, () => [])
  }

  add(chunk: number, signs: Blob): void {
    const wanted = this.#wanted
    const words = toWords(signs)
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
