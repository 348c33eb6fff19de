/** What waits for delivery in one process: stored before it is delivered, and removed together with what is added next. */
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import type { ProviderForgetTarget } from './memory-provider.ts'
import type { OutboxFile } from './outbox-file.ts'
import { ALIVE_MS, changeOutbox, fitting, hasAbandoned, isErased, LONGEST_LIFE_MS, withoutErased } from './plan-outbox.ts'
import type { OutboxDocument, WaitingItem } from './provider-items.ts'

export interface Outbox {
  /** Not delivered yet, in order. */
  readonly waiting: readonly WaitingItem[]
  /** Resolves when the item is stored, or storing it has failed; it is delivered in both cases. */
  add(item: WaitingItem): Promise<void>
  delivered(item: WaitingItem): void
  /** Reads what other processes did: items that were erased are gone, and those of processes that have gone are taken over. */
  refresh(): Promise<Result<void>>
  /** Removes what was delivered. `aliveMs`: how long other processes leave the rest to this one; default `ALIVE_MS`, 0 lets them take it at once. */
  tidy(aliveMs?: number): Promise<void>
  /** The number of items, also of other processes. */
  forget(target: ProviderForgetTarget): Promise<Result<number>>
  /** When the document was last read or written, in epoch milliseconds. */
  readonly readAt: number
  /** Until when the stored items are left to this process, in epoch milliseconds. */
  readonly aliveUntil: number
  /** Delivered items are still stored. */
  readonly untidy: boolean
  /** Resolves when nothing is being stored. */
  settled(): Promise<void>
}

export interface OutboxOptions {
  /** Undefined: nothing is stored. */
  readonly file: OutboxFile | undefined
  readonly clock: Clock
  /** This process. */
  readonly self: string
  readonly onFailure: (error: HermesError) => void
  /** Called with the number of items that did not fit. */
  readonly onDropped: (items: number) => void
}

const idsOf = (items: readonly WaitingItem[]): ReadonlySet<string> => new Set(items.map(({ id }) => id))

/** Never shortened by a later write, except to nothing, and except one from before the clock was set back. */
const nextLife = (aliveUntil: number, at: number, aliveMs: number): number =>
  aliveMs === 0 || aliveUntil - at > LONGEST_LIFE_MS ? at + aliveMs : Math.max(aliveUntil, at + aliveMs)

export const createOutbox = ({ file, clock, self, onFailure, onDropped }: OutboxOptions): Outbox => {
  /** In the document, for this process, and not delivered. */
  let stored: readonly WaitingItem[] = []
  /** Not in the document. */
  let unstored: readonly WaitingItem[] = []
  /** Unstored items that are delivered all the same, since storing them has failed. */
  let loose: ReadonlySet<string> = new Set()
  /** Delivered, and still in the document. */
  let done: ReadonlySet<string> = new Set()
  let aliveUntil = 0
  let readAt = 0
  let lane: Promise<unknown> = Promise.resolve()
  let nextStore: Promise<void> | undefined

  /** One access to the document at a time. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = lane.then(work)
    lane = result.catch(() => {})
    return result
  }

  const adopt = ({ items }: OutboxDocument): void => {
    const present = idsOf(items)
    done = new Set([...done].filter((id) => present.has(id)))
    unstored = unstored.filter(({ id }) => !present.has(id))
    loose = new Set([...loose].filter((id) => !present.has(id)))
    stored = items.filter(({ id, by }) => by === self && !done.has(id))
  }

  /** What waits in memory has the same bounds. */
  const keepInMemory = (items: readonly WaitingItem[]): void => {
    loose = new Set([...loose, ...idsOf(items)])
    const { dropped } = fitting(unstored)
    if (dropped === 0) return
    unstored = unstored.slice(dropped)
    onDropped(dropped)
  }

  const failed = (error: HermesError, items: readonly WaitingItem[]): void => {
    if (error.code !== 'closed') {
      onFailure(error)
      keepInMemory(items)
      return
    }
    // The owner was erased, or the home closed: nothing may be delivered any more.
    stored = []
    unstored = []
    done = new Set()
  }

  const store = async (to: OutboxFile, aliveMs: number): Promise<void> => {
    const at = clock()
    readAt = at
    const change = { self, at, aliveUntil: nextLife(aliveUntil, at, aliveMs), added: unstored, delivered: done }
    let dropped = 0
    const written = await to.update((current) => {
      const planned = changeOutbox(current, change)
      dropped = planned.dropped
      return planned.document
    })
    if (!written.ok) return failed(written.error, change.added)
    aliveUntil = change.aliveUntil
    // Those that are not in the document did not fit.
    const added = idsOf(change.added)
    unstored = unstored.filter(({ id }) => !added.has(id))
    adopt(written.value)
    if (dropped > 0) onDropped(dropped)
  }

  const refreshFrom = async (from: OutboxFile): Promise<Result<void>> => {
    readAt = clock()
    const found = await from.read()
    if (!found.ok) {
      failed(found.error, [])
      return found
    }
    adopt(found.value)
    if (hasAbandoned(found.value, { self, at: clock() })) await store(from, ALIVE_MS)
    return ok(undefined)
  }

  const forgetInMemory = (target: ProviderForgetTarget): number => {
    const kept = unstored.filter((item) => !isErased(item, target))
    const erased = unstored.length - kept.length
    if (!target.dryRun) unstored = kept
    return erased
  }

  const forgetIn = async (from: OutboxFile, target: ProviderForgetTarget): Promise<Result<number>> => {
    const inMemory = forgetInMemory(target)
    let erased = 0
    const erase = (document: OutboxDocument): OutboxDocument => {
      const planned = withoutErased(document, target)
      erased = planned.dropped
      return planned.dropped > 0 ? planned.document : document
    }
    const written = target.dryRun ? await from.read() : await from.update(erase)
    if (!written.ok) return written
    if (target.dryRun) erase(written.value)
    else adopt(written.value)
    return ok(inMemory + erased)
  }

  return {
    get waiting() {
      return [...stored, ...unstored.filter(({ id }) => loose.has(id))]
    },
    get aliveUntil() {
      return aliveUntil
    },
    get readAt() {
      return readAt
    },
    get untidy() {
      return done.size > 0
    },
    add(item) {
      unstored = [...unstored, item]
      if (!file) {
        keepInMemory([item])
        return Promise.resolve()
      }
      // Items that are added while another one is stored are stored together.
      nextStore ??= inTurn(() => {
        nextStore = undefined
        return store(file, ALIVE_MS)
      })
      return nextStore
    },
    delivered({ id }) {
      stored = stored.filter((item) => item.id !== id)
      unstored = unstored.filter((item) => item.id !== id)
      loose = new Set([...loose].filter((each) => each !== id))
      if (file) done = new Set([...done, id])
    },
    refresh: () => (file ? inTurn(() => refreshFrom(file)) : Promise.resolve(ok(undefined))),
    tidy: (aliveMs = ALIVE_MS) => (file ? inTurn(() => store(file, aliveMs)) : Promise.resolve()),
    forget: (target) => (file ? inTurn(() => forgetIn(file, target)) : Promise.resolve(ok(forgetInMemory(target)))),
    async settled() {
      await lane
    },
  }
}
