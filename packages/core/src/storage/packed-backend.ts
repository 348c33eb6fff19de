/**
 * A small home as one object of a store that can put under a condition, such as an object store or a key-value store. An update gets the object, runs the plans that
 * wait, and puts it if nobody else has meanwhile. So any number of processes may share it, and each put is one state of the tree.
 */
import { HermesError, messageOf } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { checkPaths, makeCut, type NamedPaths } from './cut.ts'
import { checkFolder, closedError } from './document-tree.ts'
import { EMPTY_TREE, infosBelow, type PackedTree, packTree, readOf, sizeOf, unpackTree } from './packed-tree.ts'
import { applyPlan, runPlan } from './plan.ts'
import type { Cut, DocumentInfo, Paths, Plan, StorageBackend } from './storage-backend.ts'

/** An object by its key. Both functions may be called again after they have failed. */
export interface PackedStore {
  /** `tag`: another for each content. Undefined if there is no object. Shows what the last `put` wrote. */
  get(key: string): Promise<{ readonly bytes: Uint8Array; readonly tag: string } | undefined>
  /** Puts only if the object still has `expectedTag`, or if there is none and it is undefined. False: somebody else was first. */
  put(key: string, bytes: Uint8Array, expectedTag: string | undefined): Promise<boolean>
}

export interface PackedBackendOptions {
  /** Key of the object. Default 'hermes'. */
  readonly key?: string
  /** Longest object, in bytes. Each update writes all of it. Default 4 MB. */
  readonly maxBytes?: number
  /** Longest time of a call with its repetitions, in milliseconds. Default 15,000. */
  readonly timeoutMs?: number
  /** From 0 to 1, so that processes do not repeat in step. */
  readonly random?: () => number
}

const MOST_FAILURES = 5
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [5, 400]

type Outcome = { readonly result: Result<unknown> } | { readonly thrown: unknown }

interface Waiting {
  readonly run: (tree: PackedTree, id: string) => { readonly outcome: Outcome; readonly tree: PackedTree }
  readonly settle: (outcome: Outcome) => void
  /** Puts that hold it and of which nobody knows whether they were done. */
  readonly doubtful: Map<string, Outcome>
}

const newId = (): string => crypto.randomUUID()

const inTime = <T>(work: Promise<T>, end: number, late: () => T): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(late()), end - performance.now())
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })

class PackedBackend implements StorageBackend {
  readonly #store: PackedStore
  readonly #options: Required<PackedBackendOptions>
  readonly #underWay = new Set<Promise<unknown>>()
  #queue: Waiting[] = []
  #draining: Promise<void> | undefined
  #isClosed = false

  constructor(store: PackedStore, options: Required<PackedBackendOptions>) {
    this.#store = store
    this.#options = options
  }

  #error(code: 'io' | 'locked' | 'no_space', what: string, cause?: unknown): HermesError {
    return new HermesError(code, `The object '${this.#options.key}' of the store ${what}`, { cause, details: { key: this.#options.key } })
  }

  #failed(cause: unknown): HermesError {
    const text = messageOf(cause)
    return this.#error('io', `could not be reached: ${text.slice(0, 300)} Check the store and try again.`, cause)
  }

  async #track<T>(call: Promise<Result<T>>): Promise<Result<T>> {
    this.#underWay.add(call)
    return call.finally(() => this.#underWay.delete(call))
  }

  async #load(): Promise<Result<PackedTree & { readonly tag: string | undefined }>> {
    const found = await this.#store.get(this.#options.key)
    const tree = found ? await unpackTree(found.bytes, this.#options.key) : ok(EMPTY_TREE)
    return tree.ok ? ok({ ...tree.value, tag: found?.tag }) : tree
  }

  #wait(tries: number): Promise<void> {
    return pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries) * this.#options.random())
  }

  async #look(): Promise<Result<PackedTree>> {
    const { timeoutMs } = this.#options
    const end = performance.now() + timeoutMs
    let problem = this.#error('io', `has not been answered for ${timeoutMs} ms. Check the store and try again.`)
    for (let failures = 1; failures <= MOST_FAILURES && performance.now() < end; failures++) {
      try {
        return await inTime(this.#load(), end, () => err(problem))
      } catch (cause) {
        problem = this.#failed(cause)
        await this.#wait(failures + 2)
      }
    }
    return err(problem)
  }

  async read(paths: Paths): Promise<Result<Cut>> {
    const named = this.#isClosed ? err(closedError()) : checkPaths(paths)
    if (!named.ok) return named
    const tree = await this.#track(this.#look())
    return tree.ok ? ok(makeCut(named.value, readOf(tree.value, named.value))) : tree
  }

  async list(prefix: string): Promise<Result<readonly DocumentInfo[]>> {
    const folder = this.#isClosed ? err(closedError()) : checkFolder(prefix)
    if (!folder.ok) return folder
    const tree = await this.#track(this.#look())
    return tree.ok ? ok(infosBelow(tree.value, [prefix])) : tree
  }

  async update<T>(paths: Paths, plan: (cut: Cut) => Plan<T>): Promise<Result<T>> {
    const named = this.#isClosed ? err(closedError()) : checkPaths(paths)
    return named.ok ? this.#track(this.#enqueue(named.value, plan)) : named
  }

  #enqueue<T>(named: NamedPaths, plan: (cut: Cut) => Plan<T>): Promise<Result<T>> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#giveUp([waiting], undefined), this.#options.timeoutMs)
      const waiting: Waiting = {
        run: (tree, id) => this.#run(tree, id, named, plan),
        settle: (outcome) => {
          clearTimeout(timer)
          if ('thrown' in outcome) reject(outcome.thrown)
          else resolve(outcome.result as Result<T>)
        },
        doubtful: new Map(),
      }
      this.#queue.push(waiting)
      this.#startDraining()
    })
  }

  #startDraining(): void {
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined
      if (this.#queue.length > 0) this.#startDraining()
    })
  }

  /** One plan on the tree as those before it have left it. What it writes has a stamp of its own, which the next plan may see. */
  #run(tree: PackedTree, id: string, named: NamedPaths, plan: (cut: Cut) => Plan<unknown>): { outcome: Outcome; tree: PackedTree } {
    try {
      const planned = runPlan(named, readOf(tree, named), plan)
      if (!planned.ok) return { outcome: { result: planned }, tree }
      const { moves, puts, appends, value } = planned.value
      if (moves.length + puts.size + appends.size === 0) return { outcome: { result: ok(value) }, tree }
      const after = applyPlan(tree.documents, planned.value)
      if (!after.ok) return { outcome: { result: after }, tree }
      const stampOf = (path: string) => (tree.documents.get(path) === after.value.get(path) ? (tree.stamps.get(path) ?? id) : id)
      const stamps = new Map([...after.value.keys()].map((path) => [path, stampOf(path)]))
      const size = sizeOf(after.value)
      if (size > this.#options.maxBytes && size >= sizeOf(tree.documents)) return { outcome: { result: err(this.#tooLarge(size)) }, tree }
      return { outcome: { result: ok(value) }, tree: { ...tree, documents: after.value, stamps } }
    } catch (thrown) {
      return { outcome: { thrown }, tree }
    }
  }

  #tooLarge(size: number): HermesError {
    const advice = 'Remove what is no longer needed, raise maxBytes, or use a back end that keeps each document apart.'
    return this.#error(
      'no_space',
      `would hold ${size} bytes, but may hold at most ${this.#options.maxBytes}. ${advice} Nothing was written.`,
    )
  }

  #settle(outcomes: ReadonlyMap<Waiting, Outcome>): void {
    this.#queue = this.#queue.filter((each) => !outcomes.has(each))
    for (const [waiting, outcome] of outcomes) waiting.settle(outcome)
  }

  #giveUp(all: readonly Waiting[], problem: HermesError | undefined): void {
    const busy = this.#error('locked', 'was changed by others too often. Nothing was written; try again, or raise timeoutMs.')
    const unknown = `did not answer a put: it is unknown whether the update was done. Read before you try again. ${problem?.message ?? ''}`
    const errorOf = ({ doubtful }: Waiting) => (doubtful.size > 0 ? this.#error('io', unknown, problem) : (problem ?? busy))
    this.#settle(new Map(all.map((each) => [each, { result: err(errorOf(each)) }])))
  }

  async #drain(): Promise<void> {
    for (let failures = 0, tries = 0; this.#queue.length > 0; tries++) {
      try {
        const [isDone, problem] = await this.#attempt()
        if (problem) this.#giveUp(this.#queue, problem)
        if (isDone) [failures, tries] = [0, 0]
        else await this.#wait(tries)
      } catch (cause) {
        if (++failures >= MOST_FAILURES) this.#giveUp(this.#queue, this.#failed(cause))
        await this.#wait(tries)
      }
    }
  }

  /** One put for all that wait. False if somebody else was first. Rejects if the store fails. */
  async #attempt(): Promise<readonly [isDone: boolean, problem?: HermesError]> {
    const loaded = await this.#load()
    if (!loaded.ok) return [true, loaded.error]
    for (const waiting of this.#queue)
      for (const [id, outcome] of waiting.doubtful) if (loaded.value.ids.includes(id)) this.#settle(new Map([[waiting, outcome]]))
    const outcomes = new Map<Waiting, Outcome>()
    let tree: PackedTree = loaded.value
    for (const waiting of this.#queue) {
      const ran = waiting.run(tree, newId())
      outcomes.set(waiting, ran.outcome)
      tree = ran.tree
    }
    if (tree === loaded.value) this.#settle(outcomes)
    if (outcomes.size === 0 || tree === loaded.value) return [true]
    const id = newId()
    for (const [{ doubtful }, outcome] of outcomes) doubtful.set(id, outcome)
    const bytes = await packTree({ ...tree, ids: [...loaded.value.ids, id] })
    const isDone = await this.#store.put(this.#options.key, bytes, loaded.value.tag)
    // If it was overtaken, it will never be done.
    for (const { doubtful } of outcomes.keys()) doubtful.delete(id)
    if (isDone) this.#settle(outcomes)
    return [isDone]
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#underWay)
  }
}

const checkNumber = (name: string, value: number): void => {
  if (Number.isInteger(value) && value >= 1 && value <= 2 ** 31 - 1) return
  throw new TypeError(`packedBackend: ${name} must be a whole number from 1 to ${2 ** 31 - 1}, but is ${String(value)}.`)
}

/**
 * One object for all documents. `durable` says nothing here: a put is as durable as the store makes it. `forget` needs nothing more: the object is written
 * anew as a whole; versions and backups that the store keeps are its own. Throws a TypeError for a store or an option that cannot be used.
 */
export const packedBackend = (store: PackedStore, options: PackedBackendOptions = {}): StorageBackend => {
  const isStore = typeof store === 'object' && store !== null && typeof store.get === 'function' && typeof store.put === 'function'
  if (!isStore) throw new TypeError('packedBackend takes an object with the functions get(key) and put(key, bytes, expectedTag).')
  const all = { key: 'hermes', maxBytes: 4 * 1024 * 1024, timeoutMs: 15_000, random: () => performance.now() % 1, ...options }
  if (typeof all.key !== 'string' || all.key === '') throw new TypeError('packedBackend: key must be a text that is not empty.')
  for (const name of ['maxBytes', 'timeoutMs'] as const) checkNumber(name, all[name])
  const packed = new PackedBackend(store, all)
  return {
    read: (paths) => packed.read(paths),
    update: (paths, plan) => packed.update(paths, plan),
    list: (prefix) => packed.list(prefix),
    close: () => packed.close(),
  }
}
