/** A tree of documents as one object: a line that says what it is, with the SHA-256 of the rest, then JSON in the order of the paths. Pure. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { sha256Of } from '../shared/sha256.ts'
import type { NamedPaths, ReadDocuments } from './cut.ts'
import { byCodeUnit, isBelow } from './document-tree.ts'
import { type Documents, toStoredDocument } from './plan.ts'
import type { DocumentInfo } from './storage-backend.ts'

const FORMAT = 1
const HEAD = /^hermes-packed (\d+) ([0-9a-f]{64})\n/
const HEAD_BYTES = 200
/** As many others may write before a process whose answer was lost looks. */
const KEPT_IDS = 64

export interface PackedTree {
  /** Of the last writes, the newest last. */
  readonly ids: readonly string[]
  readonly documents: Documents
  /** By path: the id of the write that made the document. */
  readonly stamps: ReadonlyMap<string, string>
}

/** Text as it is; other bytes as base64. */
type Packed = readonly [path: string, stamp: string, executable: 0 | 1, text: string | null, base64?: string]

export const EMPTY_TREE: PackedTree = { ids: [], documents: new Map(), stamps: new Map() }

export const infosBelow = ({ documents, stamps }: PackedTree, folders: readonly string[]): readonly DocumentInfo[] =>
  [...documents]
    .filter(([path]) => folders.some((folder) => isBelow(path, folder)))
    .map(([path, { bytes }]) => ({ path, size: bytes.length, stamp: stamps.get(path) ?? '' }))
    .sort((a, b) => byCodeUnit(a.path, b.path))

export const readOf = (tree: PackedTree, named: NamedPaths): ReadDocuments => {
  const found = [...named.documents].flatMap((path) => {
    const document = tree.documents.get(path)
    return document ? [[path, { ...document, bytes: new Uint8Array(document.bytes) }] as const] : []
  })
  return { documents: new Map(found), infos: infosBelow(tree, named.folders) }
}

/** Bytes, about. */
export const sizeOf = (documents: Documents): number =>
  [...documents].reduce((sum, [path, { bytes }]) => sum + path.length + bytes.length, 0)

const encoder = new TextEncoder()
const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return text.decode(bytes)
  } catch {
    return undefined
  }
}

const toBase64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

const fromBase64 = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))

/** The same tree has the same bytes. */
export const packTree = async ({ ids, documents, stamps }: PackedTree): Promise<Uint8Array> => {
  const packed = [...documents]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([path, { bytes, executable }]): Packed => {
      const content = textOf(bytes)
      const head = [path, stamps.get(path) ?? '', executable ? 1 : 0] as const
      return content === undefined ? [...head, null, toBase64(bytes)] : [...head, content]
    })
  const body = encoder.encode(JSON.stringify({ ids: ids.slice(-KEPT_IDS), documents: packed }))
  const head = encoder.encode(`hermes-packed ${FORMAT} ${await sha256Of(body)}\n`)
  const all = new Uint8Array(head.length + body.length)
  all.set(head)
  all.set(body, head.length)
  return all
}

const refuse = (key: string, what: string, advice: string): Result<never> =>
  err(new HermesError('unreadable', `The object '${key}' of the store ${what}. ${advice} It was left as it is.`, { details: { key } }))

/** `key`: for the message. */
export const unpackTree = async (bytes: Uint8Array, key: string): Promise<Result<PackedTree>> => {
  const [head = '', format, sha256] = HEAD.exec(new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES))) ?? []
  if (head === '') return refuse(key, 'is not one of Hermes', 'Choose another key, or remove the object if nothing needs it.')
  if (Number(format) > FORMAT) return refuse(key, `is of a newer version of Hermes (format ${format})`, 'Update @hermes/core.')
  const body = bytes.subarray(head.length)
  if ((await sha256Of(body)) !== sha256)
    return refuse(key, 'is damaged', 'Bring back an earlier version of it from the store or a backup, or remove it to begin anew.')
  const { ids, documents } = JSON.parse(text.decode(body)) as { readonly ids: readonly string[]; readonly documents: readonly Packed[] }
  const all = documents.map(([path, , executable, content, base64 = '']) => {
    const document = content === null ? fromBase64(base64) : encoder.encode(content)
    return [path, toStoredDocument(document, executable === 1)] as const
  })
  return ok({ ids, documents: new Map(all), stamps: new Map(documents.map(([path, stamp]) => [path, stamp])) })
}
