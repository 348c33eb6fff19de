/** The bytes of the log: a header, then records. Pure. */
import { HermesError } from '../../shared/hermes-error.ts'
import { pause } from '../../shared/pause.ts'

export const LOG_PATH = '.hermes/log'

/** Bytes of the header, and before each record: length of its body, crc32 of the rest, number. */
export const HEAD = 256
export const FRAME = 16
const VERSION = 1

export interface Head {
  /** The last record whose documents are in place, and where the next one goes. */
  readonly seq: number
  readonly end: number
  /** The first record of the log: the documents of those before it are on disk. */
  readonly first: number
  /** The start of the machine in which this was written. */
  readonly boot: string
  /** Some of the records did not wait for the disk. */
  readonly isUnsynced?: boolean
}

/** What an update does to one document: the same in the log, when it is put in its place, and after a crash. */
export interface Change {
  readonly path: string
  /** The whole document, null: removed; with `offset` what goes there. */
  readonly bytes: Uint8Array | null
  readonly offset?: number
  readonly executable: boolean
  /** `markOf` the document that a whole one replaces. Undefined: there was none. */
  readonly old?: string | undefined
  /** Of a document that Python writes too: what it replaces, to merge with what Python has made of it. */
  readonly before?: Uint8Array | undefined
}

/** `inode`: of what moves, since another document may be at the source afterwards. */
export type Move = readonly [from: string, to: string, inode: string]

/** Moves come first, and a record that has some is the first in the log. */
export interface LogRecord {
  readonly number: number
  /** In the names of its new files, which are there before the record is and gone once they are in their places. */
  readonly tag: string
  readonly moves: readonly Move[]
  readonly changes: readonly Change[]
}

export const EMPTY = new Uint8Array()

export const join = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  if (second.length === 0) return first
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

/** Two changes of one document as one. */
export const followedBy = (first: Change | undefined, next: Change): Change => {
  if (!first) return next
  if (next.offset === undefined) return { ...next, old: first.old, before: first.before }
  return { ...first, bytes: join(first.bytes ?? EMPTY, next.bytes ?? EMPTY) }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  return value
})

/** `before`: of what comes before these bytes. */
const crc32InJs = (bytes: Uint8Array, before = 0): number => {
  let crc = ~before
  for (let at = 0; at < bytes.length; at++) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0)
  return ~crc >>> 0
}

let crc32 = crc32InJs

/** Bytes from which on it pays to load the checksum of `node:zlib`, which Node has from 20.15 on: 0.5 ms for each MiB instead of 7. */
const LONG = 262_144

export const prepareChecksum = async (length: number): Promise<void> => {
  if (length < LONG || crc32 !== crc32InJs) return
  const { default: zlib } = await import('node:zlib')
  crc32 = (zlib as { readonly crc32?: typeof crc32InJs }).crc32 ?? crc32InJs
}

/** Tells one content from another; not for security. */
export const markOf = (bytes: Uint8Array): string => `${bytes.length}-${crc32(bytes).toString(16)}`

/** Bytes of the content with this mark; 0 without one. */
export const lengthIn = (mark: string | undefined): number => Number.parseInt(mark ?? '0', 10)

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const encodeHead = (head: Head): Uint8Array => {
  const text = JSON.stringify(head)
  const crc = crc32(encoder.encode(text)).toString(16).padStart(8, '0')
  return encoder.encode(`hermes-log ${VERSION} ${crc} ${text}`.padEnd(HEAD - 1).concat('\n'))
}

const newerLog = (version: string): HermesError =>
  new HermesError(
    'unreadable',
    `'${LOG_PATH}' was written by a newer version of the library (log version ${version}; this one knows ${VERSION}). Update @hermes/core in this program. Nothing was read or written.`,
  )

/** Undefined for a new log; `torn` for one that is being written, or is damaged. Throws a HermesError for a newer version. */
export const decodeHead = (bytes: Uint8Array): Head | 'torn' | undefined => {
  if (bytes.every((byte) => byte === 0)) return undefined
  const [, version, crc, text = ''] = /^hermes-log (\d+) (\S*) ?(.*?) *\n/.exec(decoder.decode(bytes)) ?? []
  if (version !== undefined && Number(version) > VERSION) throw newerLog(version)
  return crc !== undefined && Number.parseInt(crc, 16) === crc32(encoder.encode(text)) ? (JSON.parse(text) as Head) : 'torn'
}

/** The JSON of a record: lengths stand for the bytes, which follow in the same order. */
interface Meta extends Omit<LogRecord, 'number' | 'changes'> {
  readonly changes: readonly (Omit<Change, 'bytes' | 'before'> & { readonly bytes: number | null; readonly before?: number | undefined })[]
}

/** Bytes that are copied or summed up before other work can run. */
const PART = 1_048_576

/** Frame and body. */
export const encodeRecord = async ({ number, changes, ...rest }: LogRecord): Promise<Uint8Array> => {
  const sized = changes.map((each) => ({ ...each, bytes: each.bytes?.length ?? null, before: each.before?.length }))
  const text = encoder.encode(JSON.stringify({ ...rest, changes: sized } satisfies Meta))
  const parts = [text, ...changes.flatMap(({ bytes, before }) => [bytes ?? EMPTY, before ?? EMPTY])]
  const record = new Uint8Array(FRAME + 4 + parts.reduce((sum, { length }) => sum + length, 0))
  const view = viewOf(record)
  view.setUint32(0, record.length - FRAME, true)
  view.setFloat64(8, number, true)
  view.setUint32(FRAME, text.length, true)
  let at = FRAME + 4
  let since = 0
  for (const part of parts) {
    record.set(part, at)
    at += part.length
    since += part.length
    if (since < PART) continue
    since = 0
    await pause()
  }
  let crc = 0
  for (let from = 8; from < record.length; from += PART) {
    if (from > PART) await pause()
    crc = crc32(record.subarray(from, from + PART), crc)
  }
  view.setUint32(4, crc, true)
  return record
}

export interface Frame {
  /** Of the body, in bytes. */
  readonly length: number
  readonly number: number
}

/** Undefined for less than 16 bytes. */
export const decodeFrame = (bytes: Uint8Array): Frame | undefined => {
  if (bytes.length < FRAME) return undefined
  const view = viewOf(bytes)
  return { length: view.getUint32(0, true), number: view.getFloat64(8, true) }
}

/** Where the JSON of a record begins, from its frame on, and how long it is. */
export const metaOf = (start: Uint8Array): { readonly at: number; readonly length: number } => ({
  at: FRAME + 4,
  length: viewOf(start).getUint32(FRAME, true),
})

/** The paths that a record changes or moves, from its JSON. */
export const pathsIn = (json: Uint8Array): readonly string[] => {
  const { moves, changes } = JSON.parse(decoder.decode(json)) as Meta
  return [...moves.flatMap((ends) => ends.slice(0, 2)), ...changes.map(({ path }) => path)]
}

/** Of a frame and its body; undefined if it is not whole. */
export const decodeRecord = (record: Uint8Array): LogRecord | undefined => {
  const frame = decodeFrame(record)
  if (!frame || frame.length !== record.length - FRAME || frame.length < 4) return undefined
  const view = viewOf(record)
  if (view.getUint32(4, true) !== crc32(record.subarray(8))) return undefined
  const json = metaOf(record)
  let at = json.at + json.length
  const meta = JSON.parse(decoder.decode(record.subarray(json.at, at))) as Meta
  const take = (length: number): Uint8Array => {
    at += length
    return record.subarray(at - length, at)
  }
  const changes = meta.changes.map((each) => ({
    ...each,
    bytes: each.bytes === null ? null : take(each.bytes),
    before: each.before === undefined ? undefined : take(each.before),
  }))
  return { ...meta, number: frame.number, changes }
}
