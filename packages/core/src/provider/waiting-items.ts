/** What waits for delivery to a provider: in the document of the list, or in memory what may not be stored, or could not be. */
import { createJournal } from '../journal/journal.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { orError } from '../storage/one-document.ts'
import type { Cut, Plan, UpdateOptions } from '../storage/storage-backend.ts'
import { PROVIDER_FOLDER } from '../storage/storage-paths.ts'
import type { HookGuard } from './hook-guard.ts'
import type { ProviderForgetTarget } from './memory-provider.ts'
import type { ProviderConnectionOptions } from './provider-options.ts'
import {
  type Delivery,
  EMPTY_LIST,
  fitting,
  isErased,
  LONGEST_LEASE_MS,
  leaveList,
  mayDeliver,
  type NewItem,
  readList,
  takeList,
  type WaitingItem,
  type WaitingList,
  without,
} from './waiting-list.ts'

const LEAST_LEASE_MS = 60_000
/** What was read longer ago may have been erased by another process meanwhile. */
export const FRESH_MS = 50

interface TakenItems {
  /** What this process may deliver, in order. */
  readonly items: readonly WaitingItem[]
  /** Another process delivers what is stored until then (epoch milliseconds). */
  readonly busyUntil: number | undefined
}

export class WaitingItems {
  /** Called when the list could not be changed, or the journal not be read. */
  onFailed = (_error: HermesError) => {}
  readonly #options: ProviderConnectionOptions
  readonly #guard: HookGuard
  readonly #holder: string
  readonly #leaseMs: number
  /** Ids of items that were delivered, and may still be stored. */
  readonly #done = new Set<string>()
  /** Includes what could not be stored, which the next update stores. */
  #inMemory: readonly WaitingItem[] = []
  /** Items that are stored together, the update that will do so, and whether it takes the list. */
  #adding: WaitingItem[] = []
  #nextUpdate: { readonly done: Promise<void>; takes: boolean } | undefined
  #lastUpdate: Promise<void> = Promise.resolve()

  /** `longestMs`: how long the delivery of an item may take. */
  constructor(options: ProviderConnectionOptions, guard: HookGuard, longestMs: number) {
    this.#options = options
    this.#guard = guard
    this.#holder = options.createId()
    this.#leaseMs = Math.min(Math.max(LEAST_LEASE_MS, longestMs), LONGEST_LEASE_MS / 2)
  }

  get areStored(): boolean {
    return this.#inMemory.length === 0 && this.#adding.length === 0
  }

  /** Resolves when the item is stored, or storing it has failed. `takes`: this process will deliver the list, if no other one does. */
  add(item: NewItem, takes: boolean): Promise<void> {
    this.#adding.push({ ...item, id: this.#options.createId(), at: this.#options.clock() })
    return this.#store(takes)
  }

  /** Resolves when what was added is stored, or storing it has failed. */
  async added(): Promise<void> {
    await this.#lastUpdate
  }

  /** Also removes what was delivered from the list, and finds out what other processes added and erased. */
  async take(): Promise<TakenItems> {
    await this.#storeRest(true)
    const done = new Set(this.#done)
    const delivery = this.#delivery()
    const taken = await this.#update((list) => takeList(without(list, done), delivery))
    if (taken.ok) for (const id of done) this.#done.delete(id)
    else this.#failed(taken.error)
    const list = taken.ok ? taken.value : EMPTY_LIST
    const stored = mayDeliver(list, delivery) ? list.items : []
    const ids = new Set(stored.map(({ id }) => id))
    const inMemory = (await this.#dropErased()) ? this.#inMemory.filter(({ id }) => !ids.has(id)) : []
    return {
      items: inMemory.length === 0 ? stored : [...stored, ...inMemory].sort((a, b) => a.at - b.at),
      busyUntil: stored === list.items ? undefined : list.lease?.until,
    }
  }

  delivered({ id }: WaitingItem): void {
    this.#done.add(id)
    this.#inMemory = this.#inMemory.filter((each) => each.id !== id)
  }

  /** Other processes may deliver the rest at once. */
  async leave(): Promise<void> {
    await this.#storeRest(false)
    await this.#update((list) => leaveList(without(list, this.#done), this.#holder))
  }

  /** Removes what is to be erased. Resolves to the number of items; with `dryRun` nothing is removed. */
  forget(target: ProviderForgetTarget): Promise<Result<number>> {
    const removing = this.#storeRest(false).then(() => this.#remove(target))
    // What is stored meanwhile could otherwise bring back what is in memory now.
    this.#lastUpdate = removing.then(() => {})
    return removing
  }

  /** What is not stored is lost. */
  giveUp(): void {
    this.dropped(this.#inMemory.length)
    this.#inMemory = []
  }

  dropped(items: number): void {
    if (items > 0) this.#guard.emit({ type: 'provider-dropped', items })
  }

  /** Items that are added while others are stored are stored together. */
  #store(takes: boolean): Promise<void> {
    if (!this.#nextUpdate) {
      this.#lastUpdate = this.#lastUpdate.then(() => this.#storeAll())
      this.#nextUpdate = { done: this.#lastUpdate, takes }
    }
    this.#nextUpdate.takes ||= takes
    return this.#nextUpdate.done
  }

  /** Stores what could not be stored before. Resolves when nothing is being stored. */
  #storeRest(takes: boolean): Promise<void> {
    return this.#options.keepText && this.#inMemory.length > 0 ? this.#store(takes) : this.#lastUpdate
  }

  async #storeAll(): Promise<void> {
    const takes = this.#nextUpdate?.takes ?? false
    const adding = this.#adding.splice(0)
    this.#nextUpdate = undefined
    const { keepText } = this.#options
    const storing = new Set([...(keepText && (await this.#dropErased()) ? this.#inMemory : []), ...adding])
    if (keepText && storing.size > 0) {
      const added = await this.#add([...storing], takes)
      this.dropped(added.ok ? added.value : 0)
      if (added.ok) this.#inMemory = this.#inMemory.filter((item) => !storing.has(item))
      else this.#failed(added.error)
      if (added.ok || added.error.code === 'closed') return
    }
    const { items, dropped } = fitting([...this.#inMemory, ...adding])
    this.#inMemory = items
    this.dropped(dropped)
  }

  /** What is only in memory is not found by an erasure in another process, but the journal tells of it. False if it cannot be read. */
  async #dropErased(): Promise<boolean> {
    const { home, clock, createId } = this.#options
    const since = Math.min(...this.#inMemory.map(({ at }) => at))
    if (this.#inMemory.length === 0 || Math.abs(clock() - since) < FRESH_MS) return true
    const records = await createJournal({ storage: home.storage, clock, createId }).list({ since, kind: 'applied' })
    if (!records.ok) {
      this.#failed(records.error)
      return false
    }
    const erasedAt = records.value.findLast(({ upkeep }) => upkeep?.action === 'erase')?.at ?? Number.NEGATIVE_INFINITY
    const before = this.#inMemory.length
    this.#inMemory = this.#inMemory.filter(({ at }) => at > erasedAt)
    this.dropped(before - this.#inMemory.length)
    return true
  }

  #failed(error: HermesError): void {
    if (error.code === 'closed') this.#inMemory = []
    this.onFailed(error)
  }

  #delivery(): Delivery {
    return { holder: this.#holder, at: this.#options.clock(), leaseMs: this.#leaseMs }
  }

  // Each is one update of the document.

  /** Resolves to the number of items that were dropped. */
  async #add(items: readonly WaitingItem[], takes: boolean): Promise<Result<number>> {
    const delivery = this.#delivery()
    let dropped = 0
    const stored = await this.#update((list) => {
      const fits = fitting([...list.items, ...items])
      dropped = fits.dropped
      const added = { ...list, items: fits.items }
      return takes ? takeList(added, delivery) : added
    })
    return stored.ok ? ok(dropped) : stored
  }

  async #remove(target: ProviderForgetTarget): Promise<Result<number>> {
    const isKept = (item: WaitingItem) => !isErased(item, target)
    let removed = 0
    const stored = await this.#update(
      (list) => {
        const items = list.items.filter(isKept)
        removed = list.items.length - items.length
        return target.dryRun || removed === 0 ? list : { ...list, items }
      },
      { forget: true },
    )
    if (!stored.ok) return stored
    const kept = this.#inMemory.filter(isKept)
    removed += this.#inMemory.length - kept.length
    if (!target.dryRun) this.#inMemory = kept
    return ok(removed)
  }

  /** `next` returns the same list to change nothing. The document is removed with the last item; a damaged one is kept aside. */
  async #update(next: (list: WaitingList) => WaitingList, options?: UpdateOptions): Promise<Result<WaitingList>> {
    const { name } = this.#options.provider
    const path = `${PROVIDER_FOLDER}/${name}.json`
    const aside = `${PROVIDER_FOLDER}/.unreadable/${name}-${this.#options.createId()}.json`
    const plan = (cut: Cut): Plan<{ readonly list: WaitingList; readonly isDamaged: boolean }> => {
      const document = cut.document(path)
      const before = document ? readList(document.bytes) : EMPTY_LIST
      const list = next(before ?? EMPTY_LIST)
      const value = { list, isDamaged: before === undefined }
      if (list === before) return { value }
      const put = { [path]: list.items.length === 0 ? null : new TextEncoder().encode(`${JSON.stringify(list)}\n`) }
      if (before) return { put, value }
      return { move: [[path, aside]], ...(list.items.length > 0 ? { put } : {}), value }
    }
    const changed = await orError(() => this.#options.home.storage.update([path, aside], plan, options))
    if (!changed.ok) return changed
    if (changed.value.isDamaged) {
      const message = `'${path}' was corrupt and is kept as '${aside}'. What it held was not delivered to memory provider '${name}'.`
      this.#guard.fail('outbox', new HermesError('unreadable', message, { details: { path: aside } }))
    }
    return ok(changed.value.list)
  }
}
