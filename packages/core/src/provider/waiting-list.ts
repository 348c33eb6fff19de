/** The stored list of what waits for delivery in a home, and the part of it that this process holds under a lease. */
import { fingerprintOfBytes } from '../shared/fingerprint.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { Cut, Plan, UpdateOptions } from '../storage/storage-backend.ts'
import { PROVIDER_FOLDER } from '../storage/storage-paths.ts'
import type { HookGuard } from './hook-guard.ts'
import type { ProviderForgetTarget } from './memory-provider.ts'
import type { ProviderConnectionOptions } from './provider-connection.ts'
import {
  changeItems,
  fitting,
  isErased,
  LONGEST_LEASE_MS,
  type NewItem,
  readItems,
  type WaitingItem,
  type WaitingItems,
  writeItems,
} from './waiting-items.ts'

const LEAST_LEASE_MS = 60_000
/** Leases of items that wait for an attempt end so much later than it, in milliseconds. */
const MARGIN_MS = 1_000
/** Longest time between two attempts to deliver an item, in milliseconds. */
export const LONGEST_WAIT_MS = 300_000

const UNREADABLE_FOLDER = `${PROVIDER_FOLDER}/.unreadable/`

const NONE: WaitingItems = []

interface Changed {
  readonly stored: WaitingItems
  /** Left the list for the memory of this process. */
  readonly taken: WaitingItems
  readonly isCorrupt: boolean
  /** Where a corrupt list is kept. */
  readonly aside?: string
}

type Change = (items: WaitingItems) => WaitingItems

/** One piece of work at a time, in the order of the calls. */
export class Lane {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => {})
    return result
  }
}

const idsOf = (items: WaitingItems): ReadonlySet<string> => new Set(items.map(({ id }) => id))

export class WaitingList {
  /** To be delivered by this process, in order. */
  waiting: WaitingItems = NONE
  /** When the next attempt is due, in epoch milliseconds; 0 if no attempt has failed. Other processes leave the items to this one until after it. */
  retryAt = 0
  /** When the list was last read, in epoch milliseconds. */
  readAt = Number.NEGATIVE_INFINITY
  readonly #options: ProviderConnectionOptions
  readonly #guard: HookGuard
  readonly #holder: string
  readonly #path: string
  readonly #leaseMs: number
  /** Not stored yet, and therefore not to be delivered. */
  #adding: WaitingItems = NONE
  /** Ids of waiting items that could not be stored. */
  #unstored: ReadonlySet<string> = new Set()
  /** Ids of delivered items that are still stored. */
  #delivered: ReadonlySet<string> = new Set()
  #nextSync: Promise<void> | undefined
  readonly #lane = new Lane()

  /** `longestMs`: how long the delivery of an item may take. */
  constructor(options: ProviderConnectionOptions, guard: HookGuard, longestMs: number) {
    this.#options = options
    this.#guard = guard
    this.#holder = options.createId()
    this.#path = `${PROVIDER_FOLDER}/${options.provider.name}.json`
    this.#leaseMs = Math.min(Math.max(LEAST_LEASE_MS, longestMs), LONGEST_LEASE_MS / 2)
  }

  /** Delivered items are still stored. */
  get isUntidy(): boolean {
    return this.#delivered.size > 0
  }

  /** Resolves when the item is stored, or storing it has failed; it is to be delivered in both cases. */
  add(added: NewItem): Promise<void> {
    const { createId, clock, keepText } = this.#options
    const at = clock()
    const item: WaitingItem = { ...added, id: createId(), holder: this.#holder, until: at + this.#leaseMs, at }
    if (!keepText) {
      this.#keepInMemory([item])
      return Promise.resolve()
    }
    this.#adding = [...this.#adding, item]
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
    this.waiting = this.waiting.filter((item) => item.id !== id)
    this.#unstored = new Set([...this.#unstored].filter((each) => each !== id))
    if (this.#options.keepText) this.#delivered = new Set([...this.#delivered, id])
  }

  /** Removes the items that hold what is to be erased, also those of other processes, which notice it before they deliver. Resolves to their number. */
  forget(target: ProviderForgetTarget): Promise<Result<number>> {
    return this.#lane.run(() => this.#forget(target))
  }

  dropped(items: number): void {
    this.#guard.emit({ type: 'provider-dropped', items })
  }

  #isUnstored = ({ id }: WaitingItem): boolean => this.#unstored.has(id)

  async #sync(release = false): Promise<void> {
    const { clock, keepText } = this.#options
    const at = clock()
    const nextAt = Math.max(at, Math.min(this.retryAt, at + LONGEST_WAIT_MS))
    const adding = this.#adding
    const added = keepText ? [...this.waiting.filter(this.#isUnstored), ...adding] : NONE
    const until = release ? at : nextAt + this.#leaseMs
    const neededUntil = release ? Number.POSITIVE_INFINITY : Math.max(at + this.#leaseMs / 2, nextAt + MARGIN_MS)
    const delivered = this.#delivered
    this.readAt = at
    let dropped = 0
    const changed = await this.#change((items) => {
      const next = changeItems(items, { holder: this.#holder, at, until, neededUntil, added, delivered })
      dropped = next.dropped
      return next.items
    })
    this.#adding = this.#adding.slice(adding.length)
    if (!changed.ok) return this.#failed(changed.error, adding)
    const { stored, taken } = changed.value
    const addedIds = idsOf(added)
    const storedIds = idsOf(stored)
    this.#unstored = new Set([...this.#unstored].filter((id) => !addedIds.has(id)))
    this.#delivered = new Set([...this.#delivered].filter((id) => storedIds.has(id)))
    if (keepText) this.waiting = stored.filter(({ id, holder }) => holder === this.#holder && !this.#delivered.has(id))
    else this.#keepInMemory(taken)
    if (dropped > 0) this.dropped(dropped)
  }

  #failed(error: HermesError, adding: WaitingItems): void {
    if (error.code !== 'closed') {
      this.#guard.fail('outbox', error)
      this.#keepInMemory(adding)
      return
    }
    // The owner was erased, or the home closed: nothing may be delivered any more.
    this.waiting = NONE
    this.#adding = NONE
    this.#delivered = new Set()
  }

  /** What waits in memory has the same bounds. */
  #keepInMemory(items: WaitingItems): void {
    this.#unstored = new Set([...this.#unstored, ...idsOf(items)])
    this.waiting = [...this.waiting, ...items]
    const unstored = this.waiting.filter(this.#isUnstored)
    const { dropped } = fitting(unstored)
    if (dropped === 0) return
    const lost = idsOf(unstored.slice(0, dropped))
    this.waiting = this.waiting.filter(({ id }) => !lost.has(id))
    this.dropped(dropped)
  }

  async #forget(target: ProviderForgetTarget): Promise<Result<number>> {
    const keep: Change = (items) => items.filter((item) => !isErased(item, target))
    const inMemory = [...this.#adding, ...this.waiting.filter(this.#isUnstored)]
    let erased = 0
    const erase: Change = (items) => {
      const kept = keep(items)
      erased = items.length - kept.length
      return target.dryRun || erased === 0 ? items : kept
    }
    if (!target.dryRun) this.#adding = keep(this.#adding)
    const changed = await this.#change(erase, { forget: true })
    if (!changed.ok) return changed
    if (!target.dryRun) this.waiting = keep(this.waiting)
    return ok(erased + inMemory.length - keep(inMemory).length)
  }

  /**
   * One change of the stored list. Without `keepText` nothing new is stored, and the items of this process leave the list. A corrupt list is kept aside, so that what
   * comes next can be stored.
   */
  async #change(next: Change, options?: UpdateOptions): Promise<Result<Changed>> {
    const first = await this.#update(next, false, options)
    if (!first.ok || !first.value.isCorrupt) return first
    const changed = await this.#update(next, true, options)
    if (changed.ok && changed.value.aside !== undefined) {
      const { aside } = changed.value
      const message = `'${this.#path}' was corrupt and is kept as '${aside}'. What it held was not delivered to memory provider '${this.#options.provider.name}'.`
      this.#guard.fail('outbox', new HermesError('unreadable', message, { details: { path: aside } }))
    }
    return changed
  }

  async #update(next: Change, movesCorrupt: boolean, options?: UpdateOptions): Promise<Result<Changed>> {
    const paths = movesCorrupt ? [this.#path, UNREADABLE_FOLDER] : [this.#path]
    try {
      return await this.#options.home.storage.update(paths, (cut) => this.#plan(cut, next, movesCorrupt), options)
    } catch (cause) {
      // The document cannot be read.
      if (HermesError.isInstance(cause)) return err(cause)
      throw cause
    }
  }

  #plan(cut: Cut, next: Change, movesCorrupt: boolean): Plan<Changed> {
    const path = this.#path
    const document = cut.document(path)
    const items = document ? readItems(document.bytes) : NONE
    const leaves = ({ holder }: WaitingItem) => holder === this.#holder && !this.#options.keepText
    const all = next(items ?? NONE)
    const taken = all.filter(leaves)
    const stored = taken.length === 0 ? all : all.filter((item) => !leaves(item))
    const value = { stored, taken, isCorrupt: items === undefined }
    if (stored === items || (!items && !movesCorrupt)) return { value }
    const content = writeItems(stored)
    if (items || !document) return { put: { [path]: content }, value }
    const used = new Set(cut.list(UNREADABLE_FOLDER).map((info) => info.path))
    const name = `${UNREADABLE_FOLDER}${this.#options.provider.name}-${fingerprintOfBytes(document.bytes)}`
    let aside = `${name}.json`
    for (let serial = 2; used.has(aside); serial++) aside = `${name}-${serial}.json`
    return { move: [[path, aside]], ...(content ? { put: { [path]: content } } : {}), value: { ...value, aside } }
  }
}
