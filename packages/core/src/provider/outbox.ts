/** Delivers what waits to a provider: in order, one at a time, again after a failure, behind the turn. One process of a home at a time does so, for all. */
import { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { orError } from '../storage/one-document.ts'
import type { UpdateOptions } from '../storage/storage-backend.ts'
import type { HookOutcome } from './hook-guard.ts'
import type { HomeProvider, ProviderCall, ProviderForgetTarget } from './memory-provider.ts'
import type { ProviderHooks } from './provider-hooks.ts'
import type { ProviderConnectionOptions } from './provider-options.ts'
import {
  damagedPath,
  EMPTY_LIST,
  fitting,
  isErased,
  LONGEST_LEASE_MS,
  leaveList,
  listPath,
  mayDeliver,
  type NewItem,
  planList,
  takeList,
  type WaitingItem,
  type WaitingList,
} from './waiting-list.ts'

const LEAST_LEASE_MS = 60_000
const FIRST_WAIT_MS = 1_000
/** Longest time between two attempts to deliver an item. */
const LONGEST_WAIT_MS = 300_000
/** Attempts whose wait still grows. */
const MAX_DOUBLINGS = 9

const HOOK_OF = {
  turn: 'syncTurn',
  write: 'onMemoryWrite',
  switch: 'onSessionSwitch',
  end: 'onSessionEnd',
} as const satisfies Record<WaitingItem['kind'], keyof HomeProvider>

export class Outbox {
  readonly #options: ProviderConnectionOptions
  readonly #hooks: ProviderHooks
  readonly #holder: string
  readonly #leaseMs: number
  /** The list of what may not be stored, or could not be. */
  #memory: WaitingList = EMPTY_LIST
  /** Items that are stored together, and the update that will do so. */
  #adding: WaitingItem[] = []
  #nextUpdate: Promise<void> | undefined
  #lastUpdate: Promise<void> = Promise.resolve()
  /** Ends with the last delivery or erasure that was asked for: only one is carried out at a time. */
  #lane: Promise<unknown> = Promise.resolve()
  #working: Promise<void> | undefined
  /** Something was added since the work began. */
  #mayHaveMore = false
  #failures = 0
  /** When the next attempt is due, in epoch milliseconds; 0 if the last one did not fail. */
  #retryAt = 0
  #stopped = false
  #cancelTimer = () => {}

  constructor(options: ProviderConnectionOptions, hooks: ProviderHooks) {
    this.#options = options
    this.#hooks = hooks
    this.#holder = options.createId()
    // The provider may have to be opened first.
    this.#leaseMs = Math.min(Math.max(LEAST_LEASE_MS, 3 * hooks.patient.limitMs), LONGEST_LEASE_MS / 2)
  }

  /** True if nothing is being delivered, and what waits is stored. */
  get isSaved(): boolean {
    return this.#working === undefined && this.#memory.items.length === 0 && this.#adding.length === 0
  }

  /** Resolves when the item is stored, or storing it has failed; it is delivered behind in both cases. */
  async add(item: NewItem): Promise<void> {
    if (!this.#hooks.mayHave(HOOK_OF[item.kind])) return
    this.#adding.push({ ...item, id: this.#options.createId(), at: this.#options.clock() })
    // Items that are added while others are stored are stored together.
    this.#nextUpdate ??= this.#lastUpdate.then(() => {
      this.#nextUpdate = undefined
      return this.#store(this.#adding.splice(0))
    })
    this.#lastUpdate = this.#nextUpdate
    await this.#nextUpdate
    this.start()
  }

  /** Delivers behind the turn, unless an attempt waits for its time. */
  start(): void {
    this.#mayHaveMore = this.#working !== undefined
    if (this.#stopped || this.#mayHaveMore || this.#isWaiting) return
    const begun = this.#work()
    this.#options.run(() => begun)
  }

  /** As `start`, also if an attempt waits: the provider works again. */
  retry(): void {
    this.#retryAt = 0
    this.start()
  }

  /** Resolves when everything that this process delivers has been tried once. */
  async settled(): Promise<void> {
    await this.#lastUpdate
    while (this.#working !== undefined) await this.#working
  }

  /** Removes what is to be erased from what waits, then runs `then` with the number of items, all while nothing is delivered. */
  forget(target: ProviderForgetTarget, then: (removed: number) => Promise<Result<number>>): Promise<Result<number>> {
    return this.#alone(async () => {
      await this.#lastUpdate
      const isKept = (item: WaitingItem) => !isErased(item, target)
      let removed = 0
      const erase = (list: WaitingList): WaitingList => {
        const items = list.items.filter(isKept)
        removed = list.items.length - items.length
        return target.dryRun || removed === 0 ? list : { ...list, items }
      }
      const erased = await this.#update(erase, { forget: true })
      if (!erased.ok) return erased
      removed += this.#memory.items.length - this.#memory.items.filter(isKept).length
      if (!target.dryRun) this.#memory = { ...this.#memory, items: this.#memory.items.filter(isKept) }
      return then(removed)
    })
  }

  /** Delivers for at most `limitMs` (0: nothing more), gives up the hooks that run, and leaves the rest to other processes. */
  async close(limitMs: number): Promise<void> {
    const { guard } = this.#hooks
    this.#stopped = limitMs === 0
    // With 0, what is being delivered would otherwise arrive after the erasure that closes the home.
    const last = this.#stopped ? this.#alone(async () => {}) : this.#lastUpdate.then(() => this.#work())
    await guard.within(limitMs || this.#options.timeoutMs, last)
    this.#stopped = true
    this.#cancelTimer()
    guard.abandon()
    if (limitMs > 0) await guard.within(limitMs, this.#leave())
  }

  /** True while an attempt waits for its time. A later time than the longest wait comes from a clock that was set back since. */
  get #isWaiting(): boolean {
    const wait = this.#retryAt - this.#options.clock()
    return wait > 0 && wait <= LONGEST_WAIT_MS
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lane.then(work)
    this.#lane = result.catch(() => {})
    return result
  }

  #work(): Promise<void> {
    this.#working ??= this.#deliverAll().finally(() => {
      this.#working = undefined
      if (this.#mayHaveMore) this.start()
    })
    return this.#working
  }

  async #deliverAll(): Promise<void> {
    while (!this.#stopped && (await this.#alone(() => this.#deliverNext())));
  }

  /** False if nothing is left for this process, or it waits. */
  async #deliverNext(): Promise<boolean> {
    const stored = await this.#takeStored()
    const [item] = [...(stored ? [stored] : []), ...this.#memory.items.slice(0, 1)].sort((a, b) => a.at - b.at)
    if (!item || this.#stopped) return false
    const outcome = await this.#handOver(item)
    const isRefused = outcome.kind === 'failed' && outcome.error.code === 'invalid'
    if (outcome.kind === 'done' || isRefused) {
      this.#failures = 0
      this.#retryAt = 0
      if (isRefused) this.#dropped(1)
      const remove = (list: WaitingList) => ({ ...list, items: list.items.filter(({ id }) => id !== item.id) })
      if (item !== stored) this.#memory = remove(this.#memory)
      const removed = item === stored ? await this.#update(remove) : ok(this.#memory)
      return removed.ok || this.#failed(removed.error)
    }
    if (this.#stopped) return false
    if (outcome.kind === 'failed') this.#failures = Math.min(this.#failures + 1, MAX_DOUBLINGS)
    const waitMs = outcome.kind === 'failed' ? FIRST_WAIT_MS * 2 ** (this.#failures - 1) : outcome.until - this.#options.clock()
    this.#retryAt = this.#options.clock() + this.#after(waitMs)
    // Another process may be luckier.
    await this.#leave()
    return false
  }

  /** The first item of the stored list, if this process may deliver it; if not, looks again when the lease of the other process ends. */
  async #takeStored(): Promise<WaitingItem | undefined> {
    const delivery = this.#delivery()
    const taken = await this.#update((list) => takeList(list, delivery))
    if (!taken.ok) this.#failed(taken.error)
    else if (mayDeliver(taken.value, delivery)) return taken.value.items[0]
    else if (taken.value.lease) this.#after(taken.value.lease.until - delivery.at)
    return undefined
  }

  /** An item that the provider has no hook for is done. */
  async #handOver({ kind, ...given }: WaitingItem): Promise<HookOutcome<void>> {
    const deliver = (hook: unknown, call: ProviderCall) => (hook as (item: object, call: ProviderCall) => Promise<void>)(given, call)
    const outcome = await this.#hooks.use(HOOK_OF[kind], deliver, this.#hooks.patient)
    return outcome.kind === 'missing' ? { kind: 'done', value: undefined } : outcome
  }

  #delivery() {
    return { holder: this.#holder, at: this.#options.clock(), leaseMs: this.#leaseMs }
  }

  async #leave(): Promise<void> {
    await this.#update((list) => leaveList(list, this.#holder))
  }

  /** Tries again after about that time, and returns it. */
  #after(waitMs: number): number {
    const ms = Math.min(Math.max(waitMs, FIRST_WAIT_MS), LONGEST_WAIT_MS)
    this.#cancelTimer()
    if (!this.#stopped) this.#cancelTimer = this.#hooks.guard.timers.after(ms, false, () => this.retry())
    return ms
  }

  /** Always false. */
  #failed(error: HermesError): false {
    // The owner was erased, or the home closed: nothing may be delivered any more.
    if (error.code === 'closed') this.#stopped = true
    else {
      this.#hooks.guard.fail('outbox', error)
      this.#after(LEAST_LEASE_MS)
    }
    return false
  }

  #dropped(items: number): void {
    if (items > 0) this.#hooks.guard.emit({ type: 'provider-dropped', items })
  }

  async #store(adding: readonly WaitingItem[]): Promise<void> {
    const delivery = this.#delivery()
    let dropped = 0
    const add = (list: WaitingList): WaitingList => {
      const fits = fitting([...list.items, ...adding])
      dropped = fits.dropped
      return { ...list, items: fits.items }
    }
    const store = (list: WaitingList) => (this.#isWaiting ? add(list) : takeList(add(list), delivery))
    const stored = this.#options.keepText ? await this.#update(store) : undefined
    if (stored && !stored.ok) this.#failed(stored.error)
    if (!stored?.ok && !this.#stopped) this.#memory = add(this.#memory)
    this.#dropped(dropped)
  }

  /** One change of the stored list. */
  async #update(next: (list: WaitingList) => WaitingList, options?: UpdateOptions): Promise<Result<WaitingList>> {
    const { provider, home, createId } = this.#options
    const path = listPath(provider.name)
    const aside = damagedPath(provider.name, createId())
    const changed = await orError(() => home.storage.update([path, aside], (cut) => planList(cut, path, aside, next), options))
    if (!changed.ok) return changed
    if (changed.value.isDamaged) {
      const message = `'${path}' was corrupt and is kept as '${aside}'. What it held was not delivered to memory provider '${provider.name}'.`
      this.#hooks.guard.fail('outbox', new HermesError('unreadable', message, { details: { path: aside } }))
    }
    return ok(changed.value.list)
  }
}
