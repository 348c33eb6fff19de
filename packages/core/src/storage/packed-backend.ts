/**
 * A small home as one object of a store that can put under a condition, such as an object store or a key-value store. Reading gets the object; updating gets
 * it, runs the plans that wait, and puts it if nobody else has meanwhile. So any number of processes may share it, and each put is one state of the tree.
 */
import { err, ok, type Result } from '../shared/result.ts'
import { byCodeUnit, checkFolder, closedError, isBelow } from './document-tree.ts'
import { makeCut } from './make-cut.ts'
import { checkPaths, type NamedPaths } from './named-paths.ts'
import type { PackedTree } from './packed-format.ts'
import { guardStore, type PackedStore } from './packed-store.ts'
import { createPackedUpdates } from './packed-updates.ts'
import type { Cut, DocumentInfo, Plan, StorageBackend, StoredDocument } from './storage-backend.ts'

export interface PackedBackendOptions {
  /** Key of the object. Default 'hermes'. */
  readonly key?: string
  /** Longest object, in bytes. Each update writes all of it. Default 4 MB. */
  readonly maxBytes?: number
  /** Longest time of a call with its repetitions, in milliseconds. Default 15,000. */
  readonly timeoutMs?: number
  /** Makes UUIDs. */
  readonly createId?: () => string
  /** From 0 to 1, so that processes do not repeat in step. */
  readonly random?: () => number
}

const MAX_TIMEOUT_MS = 600_000
/** What a platform takes in one piece. */
const MAX_BYTES = 256 * 1024 * 1024

const checkNumber = (name: string, value: unknown, max: number): number => {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new TypeError(`${name} must be a whole number from 1 to ${max}, but is ${String(value)}.`)
}

const checkStore = (store: unknown): void => {
  const isStore =
    typeof store === 'object' && store !== null && ['get', 'put'].every((name) => typeof Reflect.get(store, name) === 'function')
  if (!isStore) throw new TypeError('packedBackend takes an object with the functions get(key) and put(key, bytes, expectedTag).')
}

const copyOf = (document: StoredDocument): StoredDocument => ({ ...document, bytes: document.bytes.slice() })

const infosBelow = ({ documents, stamps }: PackedTree, folder: string): readonly DocumentInfo[] =>
  [...documents]
    .filter(([path]) => isBelow(path, folder))
    .map(([path, { bytes }]) => ({ path, size: bytes.length, stamp: stamps.get(path) ?? '' }))
    .sort((a, b) => byCodeUnit(a.path, b.path))

const cutOf = (tree: PackedTree, named: NamedPaths): Cut => {
  const found = [...named.documents].flatMap((path) => {
    const document = tree.documents.get(path)
    return document ? [[path, copyOf(document)] as const] : []
  })
  return makeCut(named, {
    documents: new Map(found),
    infos: infosBelow(tree, '').filter(({ path }) => named.folders.some((folder) => isBelow(path, folder))),
  })
}

/** From 0 to 1, out of a random id. */
const fractionOf = (id: string): number => Number.parseInt(id.slice(0, 8), 16) / 2 ** 32

/**
 * One object for all documents. `durable` says nothing here: a put is as durable as the store makes it. `forget` needs nothing more: the object is written
 * anew as a whole; versions and backups that the store keeps are its own. Throws a TypeError for a store or an option that cannot be used.
 */
export const packedBackend = (
  store: PackedStore,
  {
    key = 'hermes',
    maxBytes = 4 * 1024 * 1024,
    timeoutMs = 15_000,
    createId = () => crypto.randomUUID(),
    random = () => fractionOf(createId()),
  }: PackedBackendOptions = {},
): StorageBackend => {
  checkStore(store)
  if (typeof key !== 'string' || key === '') throw new TypeError('key must be a text that is not empty.')
  const longestMs = checkNumber('timeoutMs', timeoutMs, MAX_TIMEOUT_MS)
  const limit = checkNumber('maxBytes', maxBytes, MAX_BYTES)
  const guarded = guardStore(store, key, random)
  const update = createPackedUpdates({ store: guarded, key, maxBytes: limit, random, createId, cutOf })
  const underWay = new Set<Promise<unknown>>()
  let closed = false

  const call = async <A, T>(checked: Result<A>, work: (value: A, end: number) => Promise<Result<T>>): Promise<Result<T>> => {
    if (closed) return err(closedError())
    if (!checked.ok) return checked
    const mine = work(checked.value, performance.now() + longestMs)
    underWay.add(mine)
    return mine.finally(() => underWay.delete(mine))
  }

  const look = async <T>(end: number, what: (tree: PackedTree) => T): Promise<Result<T>> => {
    const tree = await guarded.load(end)
    return tree.ok ? ok(what(tree.value)) : tree
  }

  return {
    read: (paths) => call(checkPaths(paths), (named, end) => look(end, (tree) => cutOf(tree, named))),
    update: <T>(paths: readonly string[], plan: (cut: Cut) => Plan<T>) => call(checkPaths(paths), (named, end) => update(named, plan, end)),
    list: (prefix) => call(checkFolder(prefix), (folder, end) => look(end, (tree) => infosBelow(tree, folder))),
    async close() {
      closed = true
      await Promise.allSettled(underWay)
    },
  }
}
