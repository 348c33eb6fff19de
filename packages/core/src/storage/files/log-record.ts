/** The bytes of the log: a header, then records. Pure. */
import { HermesError } from '../../shared/hermes-error.ts'
import type { Difference } from './shared-documents.ts'

export const LOG_PATH = '.hermes/log'

/** Bytes of the header, and before each record: length of its body, crc32 of the rest, number. */
export const HEAD = 256
export const FRAME = 16
const VERSION = 1

export interface Head {
  /** The last record whose documents are in place, and where the next one goes. */
  readonly seq: number
  readonly end: number
  /** The first record that is not known to be on disk in its documents, and where it is, or goes. */
  readonly first: number
  readonly start: number
  /** The start of the machine in which this was written. */
  readonly boot: string
  /** The last record has moves: a checkpoint comes before the next. */
  readonly isAlone?: boolean
}

export interface PutEntry {
  readonly path: string
  /** Null: removed. */
  readonly bytes: Uint8Array | null
  readonly executable: boolean
  /** `markOf` what it replaces; undefined if there was nothing. */
  readonly old?: string | undefined
  /** For a document that Python writes too: what changes, and the name of its new file, which is there before the record is and gone once it is in its place. */
  readonly difference?: Difference
  readonly temporary?: string
}

export interface AppendEntry {
  readonly path: string
  readonly offset: number
  readonly bytes: Uint8Array
}

/** `inode`: of what moves, since another document may be at the source afterwards. */
export type MoveEntry = readonly [from: string, to: string, inode: string]

/** Moves come first, and a record that has some is alone in the log. */
export interface LogRecord {
  readonly number: number
  readonly moves: readonly MoveEntry[]
  readonly puts: readonly PutEntry[]
  readonly appends: readonly AppendEntry[]
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  return value
})

const crc32 = (bytes: Uint8Array): number => {
  let crc = ~0
  for (let at = 0; at < bytes.length; at++) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0)
  return ~crc >>> 0
}

/** Tells one content from another; not for security. */
export const markOf = (bytes: Uint8Array): string => `${bytes.length}-${crc32(bytes).toString(16)}`

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

type Sized<T> = Omit<T, 'bytes'> & { readonly bytes: number | null }

/** What stands for the bytes in the JSON of a record: their length, or null. */
interface Meta {
  readonly moves: LogRecord['moves']
  readonly puts: readonly Sized<PutEntry>[]
  readonly appends: readonly (Sized<AppendEntry> & { readonly bytes: number })[]
}

/** Frame and body. */
export const encodeRecord = ({ number, moves, puts, appends }: LogRecord): Uint8Array => {
  const meta: Meta = {
    moves,
    puts: puts.map((put) => ({ ...put, bytes: put.bytes?.length ?? null })),
    appends: appends.map((append) => ({ ...append, bytes: append.bytes.length })),
  }
  const text = encoder.encode(JSON.stringify(meta))
  const parts = [text, ...puts.flatMap(({ bytes }) => bytes ?? []), ...appends.map(({ bytes }) => bytes)]
  const record = new Uint8Array(FRAME + 4 + parts.reduce((sum, { length }) => sum + length, 0))
  const view = viewOf(record)
  view.setUint32(0, record.length - FRAME, true)
  view.setFloat64(8, number, true)
  view.setUint32(FRAME, text.length, true)
  let at = FRAME + 4
  for (const part of parts) {
    record.set(part, at)
    at += part.length
  }
  view.setUint32(4, crc32(record.subarray(8)), true)
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

/** Of a frame and its body; undefined if it is not whole. */
export const decodeRecord = (record: Uint8Array): LogRecord | undefined => {
  const frame = decodeFrame(record)
  if (!frame || frame.length !== record.length - FRAME || frame.length < 4) return undefined
  const view = viewOf(record)
  if (view.getUint32(4, true) !== crc32(record.subarray(8))) return undefined
  let at = FRAME + 4 + view.getUint32(FRAME, true)
  const { moves, puts, appends } = JSON.parse(decoder.decode(record.subarray(FRAME + 4, at))) as Meta
  const take = (length: number): Uint8Array => {
    at += length
    return record.subarray(at - length, at)
  }
  return {
    number: frame.number,
    moves,
    puts: puts.map((put) => ({ ...put, bytes: put.bytes === null ? null : take(put.bytes) })),
    appends: appends.map((append) => ({ ...append, bytes: take(append.bytes) })),
  }
}
