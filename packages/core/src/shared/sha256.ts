/** SHA-256 in lower-case hexadecimal. Short texts are hashed here, since a call of Web Crypto costs many times as much. */

/** Bytes in memory that is not shared between threads, as required by the platform's streams and Web Crypto. */
export const toPlainBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes)

/** Bytes. Longer inputs go to Web Crypto, which every runtime has. */
const MAX_IN_PLACE = 2048

const BLOCK = 64

/** The first 32 bits of the fractional part. */
const fraction = (root: number): number => ((root - Math.floor(root)) * 0x1_0000_0000) | 0

const isPrime = (number: number): boolean => {
  let divisor = 2
  while (divisor * divisor <= number && number % divisor !== 0) divisor++
  return divisor * divisor > number
}

const primes = (count: number): readonly number[] => {
  const found: number[] = []
  for (let next = 2; found.length < count; next++) if (isPrime(next)) found.push(next)
  return found
}

// FIPS 180-4: the roots of the first primes.
const START = Int32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)))
const ROUNDS = Int32Array.from(primes(BLOCK), (prime) => fraction(Math.cbrt(prime)))

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

// Reused for every digest: hashing is synchronous.
const padded = new Uint8Array(MAX_IN_PLACE + 2 * BLOCK)
const blocks = new DataView(padded.buffer)
const words = new Int32Array(BLOCK)

/** Appends the end bit, zeros, and the length in bits. Returns the total length, whole blocks. */
const pad = (bytes: Uint8Array): number => {
  const length = Math.ceil((bytes.length + 9) / BLOCK) * BLOCK
  padded.set(bytes)
  padded.fill(0, bytes.length, length)
  padded[bytes.length] = 0x80
  blocks.setUint32(length - 4, bytes.length * 8)
  return length
}

const expand = (offset: number): void => {
  for (let at = 0; at < 16; at++) words[at] = blocks.getInt32(offset + at * 4)
  for (let at = 16; at < BLOCK; at++) {
    const early = words[at - 15] as number
    const late = words[at - 2] as number
    const mixed = (rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)) + (rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10))
    words[at] = mixed + (words[at - 16] as number) + (words[at - 7] as number)
  }
}

const compress = (state: Int32Array): void => {
  let { 0: a = 0, 1: b = 0, 2: c = 0, 3: d = 0, 4: e = 0, 5: f = 0, 6: g = 0, 7: h = 0 } = state
  for (let at = 0; at < BLOCK; at++) {
    const chosen = (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g))
    const first = (h + chosen + (ROUNDS[at] as number) + (words[at] as number)) | 0
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  const sums = [a, b, c, d, e, f, g, h]
  for (let at = 0; at < 8; at++) state[at] = (state[at] as number) + (sums[at] as number)
}

const hexOfWord = (word: number): string => (word >>> 0).toString(16).padStart(8, '0')

const digestInPlace = (bytes: Uint8Array): string => {
  const length = pad(bytes)
  const state = START.slice()
  for (let offset = 0; offset < length; offset += BLOCK) {
    expand(offset)
    compress(state)
  }
  let hex = ''
  for (let at = 0; at < 8; at++) hex += hexOfWord(state[at] as number)
  return hex
}

export const sha256Of = async (bytes: Uint8Array): Promise<string> => {
  if (bytes.length <= MAX_IN_PLACE) return digestInPlace(bytes)
  const digest = await crypto.subtle.digest('SHA-256', toPlainBytes(bytes))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const encoder = new TextEncoder()

/** The hash of the text in UTF-8. */
export const sha256OfText = (text: string): Promise<string> => sha256Of(encoder.encode(text))
