/** The stored list of what waits for delivery in a home, and the part of it that this process holds under a lease. */
import { createJournal } from '../journal/journal.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { orError } from '../storage/one-document.ts'
import type { UpdateOptions } from '../storage/storage-backend.ts'
import type { HookGuard } from './hook-guard.ts'
import type { ProviderForgetTarget } from './memory-provider.ts'
import type { ProviderConnectionOptions } from './provider-connection.ts'
import {
  type Change,
  type Changed,
  changeItems,
  fitting,
  isErased,
  LONGEST_LEASE_MS,
  listPath,
  listPaths,
  type NewItem,
  planItems,
  type WaitingItem,
  type WaitingItems,
} from './waiting-items.ts'

const LEAST_LEASE_MS = 60_000
/** Leases of items that wait for an attempt end so much later than it, in milliseconds. */
const MARGIN_MS = 1_000
/** Longest time between two attempts to deliver an item, in milliseconds. */
export const LONGEST_WAIT_MS = 300_000

/** One piece of work at a time, in the order of the calls. */
export class Lane {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => {})
    return result
  }
}

/** `adding`: being stored, and therefore not to be delivered. `unstored`: storing it has failed. `delivered`: still stored. */
type State = 'adding' | 'stored' | 'unstored' | 'delivered'

interface Own {
  readonly item: WaitingItem
  state: State
}

const ownEntry = (item: WaitingItem, state: State): [string, Own] => [item.id, { item, state }]

export class WaitingList {
  /** When the next attempt is due, in epoch milliseconds; 0 if no attempt has failed. Other processes leave the items to this one until after it. */
  retryAt = 0
  /** When the list was last read, in epoch milliseconds. */
  readAt = Number.NEGATIVE_INFINITY
  readonly #options: ProviderConnectionOptions
  readonly #guard: HookGuard
  readonly #holder: string
  readonly #leaseMs: number
  /** The items of this process, in order, by id. */
  #own: ReadonlyMap<string, Own> = new Map()
  #nextSync: Promise<void> | undefined
  readonly #lane = new Lane()

  /** `longestMs`: how long the delivery of an item may take. */
  constructor(options: ProviderConnectionOptions, guard: HookGuard, longestMs: number) {
    this.#options = options
    this.#guard = guard
    this.#holder = options.createId()
    this.#leaseMs = Math.min(Math.max(LEAST_LEASE_MS, longestMs), LONGEST_LEASE_MS / 2)
  }

  /** To be delivered by this process, in order. */
  get waiting(): WaitingItems {
    return this.#inState('stored', 'unstored')
  }

  /** Delivered items are still stored. */
  get isUntidy(): boolean {
    return this.#inState('delivered').length > 0
  }

  /** Resolves when the item is stored, or storing it has failed; it is to be delivered in both cases. */
  add(added: NewItem): Promise<void> {
    const { createId, clock, keepText } = this.#options
    const at = clock()
    const item: WaitingItem = { ...added, id: createId(), holder: this.#holder, until: at + this.#leaseMs, at }
    this.#own = new Map([...this.#own, ownEntry(item, keepText ? 'adding' : 'unstored')])
    if (!keepText) {
      this.#dropUnstored()
      return Promise.resolve()
    }
    // Items that are added while others are stored are stored together.
    this.#nextSync ??= this.#lane.run(() => {
      this.#nextSync = undefined
      return this.#sync()
    })
    return this.#nextSync
  }

  /**
   * Stores what is not stored, removes what was delivered, and reads what other processes did: items that were erased are gone, and those whose holder has gone are
   * taken. `release`: other processes may take the items of this one at once.
   */
  sync(release = false): Promise<void> {
    return this.#lane.run(() => this.#sync(release))
  }

  /** Resolves when nothing is being stored. */
  settled(): Promise<void> {
    return this.#lane.run(async () => {})
  }

  delivered({ id }: WaitingItem): void {
    const own = this.#own.get(id)
    if (own && this.#options.keepText) own.state = 'delivered'
    else this.#keep((item) => item.id !== id)
  }

  /** Removes the items that hold what is to be erased, also those of other processes, which notice it before they deliver. Resolves to their number. */
  forget(target: ProviderForgetTarget): Promise<Result<number>> {
    return this.#lane.run(() => this.#forget(target))
  }

  dropped(items: number): void {
    this.#guard.emit({ type: 'provider-dropped', items })
  }

  #inState(...states: readonly State[]): WaitingItems {
    return [...this.#own.values()].flatMap(({ item, state }) => (states.includes(state) ? [item] : []))
  }

  #keep(isKept: (item: WaitingItem) => boolean): void {
    this.#own = new Map([...this.#own].filter(([, { item }]) => isKept(item)))
  }

  /** What could not be stored when it was added is in no document, so that an erasure by another process has not found it: the journal tells of it. */
  async #dropErased(): Promise<void> {
    const { keepText, home, clock, createId } = this.#options
    const unstored = this.#inState('unstored')
    const [oldest] = unstored
    if (!keepText || !oldest) return
    const records = await createJournal({ storage: home.storage, clock, createId }).list({ since: oldest.at })
    const erasures = records.ok ? records.value.filter(({ upkeep }) => upkeep?.action === 'erase') : []
    const erasedAt = Math.max(...erasures.map(({ at }) => at), Number.NEGATIVE_INFINITY)
    const lost = new Set(unstored.filter(({ at }) => at <= erasedAt))
    if (lost.size === 0) return
    this.#keep((item) => !lost.has(item))
    this.dropped(lost.size)
  }

  async #sync(release = false): Promise<void> {
    const { clock, keepText } = this.#options
    await this.#dropErased()
    const at = clock()
    const nextAt = Math.max(at, Math.min(this.retryAt, at + LONGEST_WAIT_MS))
    const before = this.#own
    const change = {
      holder: this.#holder,
      at,
      until: release ? at : nextAt + this.#leaseMs,
      neededUntil: release ? Number.POSITIVE_INFINITY : Math.max(at + this.#leaseMs / 2, nextAt + MARGIN_MS),
      added: keepText ? this.#inState('adding', 'unstored') : [],
      delivered: new Set(this.#inState('delivered').map(({ id }) => id)),
    }
    this.readAt = at
    let dropped = 0
    const changed = await this.#change((items) => {
      const next = changeItems(items, change)
      dropped = next.dropped
      return next.items
    })
    if (!changed.ok) return this.#failed(changed.error, before)
    const { stored, taken } = changed.value
    const isDelivered = ({ id }: WaitingItem) => this.#own.get(id)?.state === 'delivered'
    const ours = stored
      .filter(({ holder }) => holder === this.#holder)
      .map((item) => ownEntry(item, isDelivered(item) ? 'delivered' : 'stored'))
    // What was added meanwhile, or is never stored, stays.
    const rest = [...this.#own].filter(([id]) => !keepText || !before.has(id))
    this.#own = new Map([...ours, ...rest, ...taken.map((item) => ownEntry(item, 'unstored'))])
    if (!keepText) this.#dropUnstored()
    if (dropped > 0) this.dropped(dropped)
  }

  #failed(error: HermesError, before: ReadonlyMap<string, Own>): void {
    if (error.code === 'closed') {
      // The owner was erased, or the home closed: nothing may be delivered any more.
      this.#own = new Map()
      return
    }
    this.#guard.fail('outbox', error)
    for (const own of before.values()) if (own.state === 'adding') own.state = 'unstored'
    this.#dropUnstored()
  }

  /** What waits in memory has the same bounds. */
  #dropUnstored(): void {
    const unstored = this.#inState('unstored')
    const { dropped } = fitting(unstored)
    if (dropped === 0) return
    const lost = new Set(unstored.slice(0, dropped))
    this.#keep((item) => !lost.has(item))
    this.dropped(dropped)
  }

  async #forget(target: ProviderForgetTarget): Promise<Result<number>> {
    const before = this.#own
    const inMemory = this.#inState('adding', 'unstored').filter((item) => isErased(item, target)).length
    let erased = 0
    const erase: Change = (items) => {
      const kept = items.filter((item) => !isErased(item, target))
      erased = items.length - kept.length
      return target.dryRun || erased === 0 ? items : kept
    }
    const changed = await this.#change(erase, { forget: true })
    if (!target.dryRun && changed.ok) this.#keep((item) => !before.has(item.id) || !isErased(item, target))
    // Not delivered in any case; what is stored, although storing it may have been answered with an error, is removed with the next change of the list.
    else if (!target.dryRun) for (const own of before.values()) if (isErased(own.item, target)) own.state = 'delivered'
    return changed.ok ? ok(erased + inMemory) : changed
  }

  /** One change of the stored list. Without `keepText` nothing new is stored, and the items of this process leave the list. */
  async #change(next: Change, options?: UpdateOptions): Promise<Result<Changed>> {
    const { provider, home, keepText } = this.#options
    const leaves = ({ holder }: WaitingItem) => holder === this.#holder && !keepText
    const changed = await orError(() =>
      home.storage.update(listPaths(provider.name), (cut) => planItems(cut, provider.name, next, leaves), options),
    )
    if (changed.ok && changed.value.aside !== undefined) {
      const { aside } = changed.value
      const message = `'${listPath(provider.name)}' was corrupt and is kept as '${aside}'. What it held was not delivered to memory provider '${provider.name}'.`
      this.#guard.fail('outbox', new HermesError('unreadable', message, { details: { path: aside } }))
    }
    return changed
  }
}
