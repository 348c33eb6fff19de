/** What waits for delivery in one process: stored before it is delivered, and removed together with what is added next. */
import type { Clock } from '../shared/clock.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import type { ProviderForgetTarget } from './memory-provider.ts'
import type { OutboxFile } from './outbox-file.ts'
import { ALIVE_MS, changeOutbox, fitting, hasAbandoned, isErased, withoutErased } from './plan-outbox.ts'
import type { OutboxDocument, WaitingItem } from './provider-items.ts'

export interface Outbox {
  /** Not delivered yet, in order. */
  readonly waiting: readonly WaitingItem[]
  /** Resolves when the item is stored, or storing it has failed; it is delivered in both cases. */
  add(item: WaitingItem): Promise<void>
  delivered(item: WaitingItem): void
  /** Reads what other processes did: items that were erased are gone, and those of processes that have gone are taken over. */
  refresh(): Promise<Result<void>>
  /** Removes what was delivered. `aliveMs`: how long other processes leave the rest to this one; default `ALIVE_MS`. */
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

export const createOutbox = ({ file, clock, self, onFailure, onDropped }: OutboxOptions): Outbox => {
  let waiting: readonly WaitingItem[] = []
  /** Waiting, and not in the document. */
  let unstored: readonly WaitingItem[] = []
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
    const stored = new Set(items.map(({ id }) => id))
    done = new Set([...done].filter((id) => stored.has(id)))
    unstored = unstored.filter(({ id }) => !stored.has(id))
    waiting = [...items.filter(({ id, by }) => by === self && !done.has(id)), ...unstored]
  }

  const drop = (lost: ReadonlySet<string>): void => {
    unstored = unstored.filter(({ id }) => !lost.has(id))
    waiting = waiting.filter(({ id }) => !lost.has(id))
  }

  /** For a write that failed: what waits in memory has the same bounds. */
  const boundMemory = (): void => {
    const { dropped } = fitting(unstored)
    if (dropped === 0) return
    drop(new Set(unstored.slice(0, dropped).map(({ id }) => id)))
    onDropped(dropped)
  }

  const failed = (error: HermesError): void => {
    if (error.code !== 'closed') {
      onFailure(error)
      boundMemory()
      return
    }
    // The owner was erased, or the home closed: nothing may be delivered any more.
    waiting = []
    unstored = []
    done = new Set()
  }

  const store = async (to: OutboxFile, aliveMs: number): Promise<void> => {
    const at = clock()
    readAt = at
    const change = { self, at, aliveUntil: at + aliveMs, added: unstored, delivered: done }
    let dropped = 0
    const written = await to.update((current) => {
      const planned = changeOutbox(current, change)
      dropped = planned.dropped
      return planned.document
    })
    if (!written.ok) return failed(written.error)
    aliveUntil = change.aliveUntil
    drop(new Set(change.added.map(({ id }) => id)))
    adopt(written.value)
    if (dropped > 0) onDropped(dropped)
  }

  const refreshFrom = async (from: OutboxFile): Promise<Result<void>> => {
    readAt = clock()
    const found = await from.read()
    if (!found.ok) {
      failed(found.error)
      return found
    }
    adopt(found.value)
    if (hasAbandoned(found.value, { self, at: clock() })) await store(from, ALIVE_MS)
    return ok(undefined)
  }

  const forgetIn = async (from: OutboxFile, target: ProviderForgetTarget): Promise<Result<number>> => {
    let erased = 0
    const count = (document: OutboxDocument): OutboxDocument => {
      const planned = withoutErased(document, target)
      erased = planned.dropped
      return planned.dropped > 0 ? planned.document : document
    }
    const written = target.dryRun ? await from.read() : await from.update(count)
    if (!written.ok) return written
    if (target.dryRun) count(written.value)
    else adopt(written.value)
    return ok(erased)
  }

  return {
    get waiting() {
      return waiting
    },
    get readAt() {
      return readAt
    },
    get aliveUntil() {
      return aliveUntil
    },
    get untidy() {
      return done.size > 0
    },
    add(item) {
      unstored = [...unstored, item]
      waiting = [...waiting, item]
      if (!file) {
        boundMemory()
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
      waiting = waiting.filter((item) => item.id !== id)
      if (unstored.some((item) => item.id === id)) unstored = unstored.filter((item) => item.id !== id)
      else if (file) done = new Set([...done, id])
    },
    refresh: () => (file ? inTurn(() => refreshFrom(file)) : Promise.resolve(ok(undefined))),
    tidy: (aliveMs = ALIVE_MS) => (file ? inTurn(() => store(file, aliveMs)) : Promise.resolve()),
    async forget(target) {
      const stored = file ? await inTurn(() => forgetIn(file, target)) : ok(0)
      if (!stored.ok) return stored
      const found = unstored.filter((item) => isErased(item, target))
      if (!target.dryRun) drop(new Set(found.map(({ id }) => id)))
      return ok(stored.value + found.length)
    },
    async settled() {
      await lane
    },
  }
}
