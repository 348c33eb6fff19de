/** The values of a file of JSON Lines, or of one JSON array, one after the other: the file is never read whole, and what cannot be read is counted. */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** Bytes of one value; a longer one is left out. */
const MAX_ELEMENT_BYTES = 8_000_000
const CHUNK_BYTES = 262_144

export interface Element {
  readonly value: unknown
  /** Bytes of the file. */
  readonly start: number
  readonly end: number
}

/** What was left out of a file. */
export interface ElementTally {
  /** Values that are no JSON, or not UTF-8. */
  broken: number
  tooLong: number
  /** The file ends within a value. */
  isCut: boolean
  /** No text in UTF-8. */
  isBinary: boolean
}

export const newTally = (): ElementTally => ({ broken: 0, tooLong: 0, isCut: false, isBinary: false })

const [TAB, LINE_FEED, RETURN, SPACE, QUOTE, COMMA, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN, CLOSE] = [
  9, 10, 13, 32, 34, 44, 91, 92, 93, 123, 125,
]
const BLANK: ReadonlySet<number | undefined> = new Set([TAB, LINE_FEED, RETURN, SPACE])

const decoder = new TextDecoder('utf-8', { fatal: true })

const parse = (bytes: Uint8Array): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(decoder.decode(bytes)) }
  } catch {
    return undefined
  }
}

/** Links are not followed. */
export const openFile = (path: string): Promise<FileHandle> => open(path, constants.O_RDONLY | constants.O_NOFOLLOW)

/** What a file holds: a value a line, one list of values, or one value. */
type Layout = 'lines' | 'list' | 'whole'

/** Cuts bytes into values. */
class Splitter {
  readonly #layout: Layout
  readonly #tally: ElementTally
  #parts: Uint8Array[] = []
  #bytes = 0
  #start = -1
  #depth = 0
  #isText = false
  #isEscaped = false
  isEnded = false

  constructor(layout: Layout, tally: ElementTally) {
    this.#layout = layout
    this.#tally = tally
  }

  /** `at`: of the first byte in the file. */
  *add(chunk: Uint8Array, at: number): Generator<Element> {
    let from = this.#start < 0 ? -1 : 0
    for (let index = 0; index < chunk.length && !this.isEnded; index++) {
      const byte = chunk[index] ?? 0
      if (this.#start < 0) {
        if (BLANK.has(byte) || (this.#layout === 'list' && byte === COMMA)) continue
        if (this.#layout === 'list' && byte === CLOSE_LIST) this.isEnded = true
        else {
          this.#start = at + index
          from = index
        }
      }
      if (this.#start >= 0 && this.#endsBefore(byte)) {
        yield* this.#take(chunk.subarray(Math.max(0, from), index), at + index)
        if (this.#layout === 'list' && byte === CLOSE_LIST) this.isEnded = true
      }
    }
    if (this.#start >= 0) this.#keep(chunk.subarray(Math.max(0, from)))
  }

  /** The rest of a file. */
  *end(at: number): Generator<Element> {
    if (this.#start < 0) {
      if (this.#layout === 'list' && !this.isEnded) this.#tally.isCut = true
      return
    }
    const { broken } = this.#tally
    yield* this.#take(new Uint8Array(), at)
    if (this.#layout === 'list' || this.#tally.broken > broken) this.#tally.isCut = true
  }

  #keep(part: Uint8Array): void {
    this.#bytes += part.length
    if (this.#bytes <= MAX_ELEMENT_BYTES) this.#parts.push(part)
    else this.#parts = []
  }

  *#take(rest: Uint8Array, end: number): Generator<Element> {
    this.#keep(rest)
    const [start, isLong, bytes] = [this.#start, this.#bytes > MAX_ELEMENT_BYTES, Buffer.concat(this.#parts)]
    this.#parts = []
    this.#bytes = 0
    this.#start = -1
    this.#depth = 0
    this.#isText = false
    const parsed = isLong ? undefined : parse(bytes)
    if (isLong) this.#tally.tooLong += 1
    else if (!parsed) this.#tally.broken += 1
    if (parsed) yield { value: parsed.value, start, end }
  }

  /** In a list a value ends at its comma, in JSON Lines at the end of its line. */
  #endsBefore(byte: number): boolean {
    if (this.#layout !== 'list') return this.#layout === 'lines' && byte === LINE_FEED
    if (this.#isText) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === BACKSLASH) this.#isEscaped = true
      else if (byte === QUOTE) this.#isText = false
      return false
    }
    if (byte === QUOTE) this.#isText = true
    else if (byte === OPEN || byte === OPEN_LIST) this.#depth += 1
    else if (this.#depth === 0) return byte === COMMA || byte === CLOSE_LIST
    else if (byte === CLOSE || byte === CLOSE_LIST) this.#depth -= 1
    return false
  }
}

const isUtf16 = (bytes: Uint8Array): boolean => bytes.subarray(0, 64).includes(0) || (bytes[0] === 0xff && bytes[1] === 0xfe)
const bomOf = (bytes: Uint8Array): number => (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0)

/** Rejects if the file cannot be read. */
export async function* readElements(path: string, tally: ElementTally): AsyncGenerator<Element> {
  const file = await openFile(path)
  try {
    let splitter: Splitter | undefined
    let at = 0
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, at)
      if (bytesRead === 0) break
      const chunk = buffer.subarray(0, bytesRead)
      let from = 0
      if (!splitter) {
        if (isUtf16(chunk)) {
          tally.isBinary = true
          return
        }
        from = bomOf(chunk)
        while (BLANK.has(chunk[from])) from++
        const layout = chunk[from] === OPEN_LIST ? 'list' : path.endsWith('.json') ? 'whole' : 'lines'
        splitter = new Splitter(layout, tally)
        if (layout === 'list') from += 1
      }
      yield* splitter.add(chunk.subarray(from), at + from)
      at += bytesRead
      if (splitter.isEnded) return
    }
    if (splitter) yield* splitter.end(at)
  } finally {
    await file.close()
  }
}

/** One value of a file. */
export const readElement = async (path: string, start: number, end: number): Promise<unknown> => {
  const file = await openFile(path)
  try {
    const bytes = Buffer.alloc(end - start)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start)
    return parse(bytes.subarray(0, bytesRead))?.value
  } finally {
    await file.close()
  }
}
