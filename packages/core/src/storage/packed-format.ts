/**
 * A tree of documents as one object. Deterministic: the same tree has the same bytes. Eight bytes for what it is, the SHA-256 of the rest, the ids of the
 * last writes, then each document in code-unit order of the path. Numbers are big-endian. Pure.
 */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { sha256Of } from '../shared/sha256.ts'
import type { Documents } from './apply-plan.ts'
import { byCodeUnit } from './document-tree.ts'
import { checkStoragePath } from './storage-paths.ts'

const NAME = 'HERMES'
const FORMAT = 1
const HASH_AT = 8
const HASH_BYTES = 32
const ID_BYTES = 16
/** For each document, beside its path and its bytes: length of the path, flags, stamp, length. */
const DOCUMENT_BYTES = 2 + 1 + ID_BYTES + 4

export interface PackedTree {
  /** 32 hexadecimal digits each, the newest last. */
  readonly ids: readonly string[]
  readonly documents: Documents
  /** By path: the id of the write that made the document. */
  readonly stamps: ReadonlyMap<string, string>
}

export const EMPTY_TREE: PackedTree = { ids: [], documents: new Map(), stamps: new Map() }

const encoder = new TextEncoder()

const fixedBytes = (ids: number): number => HASH_AT + HASH_BYTES + 4 + ids * ID_BYTES + 4

/** Bytes of the object. */
export const packedSize = (documents: Documents, ids: number): number => {
  let size = fixedBytes(ids)
  for (const [path, { bytes }] of documents) size += DOCUMENT_BYTES + encoder.encode(path).length + bytes.length
  return size
}

const fromHex = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export const packTree = async ({ ids, documents, stamps }: PackedTree): Promise<Uint8Array> => {
  const packed = new Uint8Array(packedSize(documents, ids.length))
  const view = new DataView(packed.buffer)
  packed.set(encoder.encode(NAME))
  view.setUint16(NAME.length, FORMAT)
  let at = HASH_AT + HASH_BYTES
  const put = (bytes: Uint8Array): void => {
    packed.set(bytes, at)
    at += bytes.length
  }
  const putCount = (count: number): void => {
    view.setUint32(at, count)
    at += 4
  }
  putCount(ids.length)
  for (const id of ids) put(fromHex(id))
  putCount(documents.size)
  for (const [path, { bytes, executable }] of [...documents].sort(([a], [b]) => byCodeUnit(a, b))) {
    const name = encoder.encode(path)
    view.setUint16(at, name.length)
    at += 2
    put(name)
    packed[at++] = executable ? 1 : 0
    put(fromHex(stamps.get(path) ?? '0'.repeat(2 * ID_BYTES)))
    putCount(bytes.length)
    put(bytes)
  }
  packed.set(fromHex(await sha256Of(packed.subarray(HASH_AT + HASH_BYTES))), HASH_AT)
  return packed
}

const refuse = (key: string, what: string, advice: string): Result<never> =>
  err(new HermesError('unreadable', `The object '${key}' of the store ${what}. ${advice} It was left as it is.`, { details: { key } }))

const DAMAGED = ['is damaged', 'Bring back an earlier version of it from the store or a backup, or remove it to begin anew.'] as const

/** Throws a RangeError for an object that ends too early. */
const readTree = (packed: Uint8Array): PackedTree => {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let at = HASH_AT + HASH_BYTES
  const take = (length: number): Uint8Array => {
    at += length
    if (at > packed.length) throw new RangeError('The object ends too early.')
    return packed.slice(at - length, at)
  }
  const takeCount = (): number => {
    at += 4
    return view.getUint32(at - 4)
  }
  const ids = Array.from({ length: takeCount() }, () => toHex(take(ID_BYTES)))
  const documents: Documents = new Map()
  const stamps = new Map<string, string>()
  for (let count = takeCount(); count > 0; count--) {
    at += 2
    const path = decoder.decode(take(view.getUint16(at - 2)))
    const isExecutable = take(1)[0] === 1
    stamps.set(path, toHex(take(ID_BYTES)))
    const bytes = take(takeCount())
    if (!checkStoragePath(path).ok) throw new RangeError('A path is wrong.')
    documents.set(path, { bytes, ...(isExecutable ? { executable: true } : {}) })
  }
  return { ids, documents, stamps }
}

/** `key`: for the message. */
export const unpackTree = async (packed: Uint8Array, key: string): Promise<Result<PackedTree>> => {
  const name = new TextDecoder().decode(packed.subarray(0, NAME.length))
  if (packed.length < fixedBytes(0) || name !== NAME)
    return refuse(key, 'is not one of Hermes', 'Choose another key, or remove the object if nothing needs it.')
  const format = new DataView(packed.buffer, packed.byteOffset).getUint16(NAME.length)
  if (format > FORMAT) return refuse(key, `is of a newer version of Hermes (format ${format})`, 'Update @hermes/core.')
  const rest = packed.subarray(HASH_AT + HASH_BYTES)
  if ((await sha256Of(rest)) !== toHex(packed.subarray(HASH_AT, HASH_AT + HASH_BYTES))) return refuse(key, ...DAMAGED)
  try {
    return ok(readTree(packed))
  } catch {
    return refuse(key, ...DAMAGED)
  }
}
