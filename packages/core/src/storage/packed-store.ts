/** What the packed back end needs of a store, and the store with time limits and repetitions. */
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { EMPTY_TREE, type PackedTree, unpackTree } from './packed-format.ts'

/** An object by its key. Both functions may be called again after they have failed. */
export interface PackedStore {
  /** `tag`: another for each content. Undefined if there is no object. */
  get(key: string): Promise<{ readonly bytes: Uint8Array; readonly tag: string } | undefined>
  /** Puts only if the object still has `expectedTag`, or if there is none and it is undefined. False: somebody else was first. */
  put(key: string, bytes: Uint8Array, expectedTag: string | undefined): Promise<boolean>
}

/** A tree as it was read. `tag` is undefined if there was no object. */
export interface LoadedTree extends PackedTree {
  readonly tag: string | undefined
}

/** Failures of the store in a row after which a call gives up. */
const MOST_FAILURES = 5
const FIRST_PAUSE_MS = 25

export interface GuardedStore {
  /** Repeats what fails, with growing pauses, until `end` (of `performance.now`). */
  readonly load: (end: number) => Promise<Result<LoadedTree>>
  /** Rejects if the outcome is unknown. */
  readonly put: (bytes: Uint8Array, tag: string | undefined, end: number) => Promise<boolean>
  readonly failed: (cause: unknown) => HermesError
}

const inTime = <T>(work: Promise<T>, end: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('It did not answer in time.')), Math.max(0, end - performance.now()))
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })

export const guardStore = (store: PackedStore, key: string, random: () => number): GuardedStore => {
  const failed = (cause: unknown): HermesError => {
    const text = cause instanceof Error ? cause.message : String(cause)
    return new HermesError('io', `The store of the object '${key}' failed: ${text.slice(0, 300)} Check that it can be reached and used.`, {
      cause,
      details: { key },
    })
  }
  const load: GuardedStore['load'] = async (end) => {
    for (let failures = 1; ; failures++) {
      try {
        const found = await inTime(Promise.resolve(store.get(key)), end)
        if (!found) return ok({ ...EMPTY_TREE, tag: undefined })
        const tree = await unpackTree(found.bytes, key)
        return tree.ok ? ok({ ...tree.value, tag: found.tag }) : tree
      } catch (cause) {
        const wait = FIRST_PAUSE_MS * 2 ** failures * (0.5 + random() / 2)
        if (failures >= MOST_FAILURES || performance.now() + wait >= end) return err(failed(cause))
        await pause(wait)
      }
    }
  }
  return { load, failed, put: (bytes, tag, end) => inTime(Promise.resolve(store.put(key, bytes, tag)), end) }
}
