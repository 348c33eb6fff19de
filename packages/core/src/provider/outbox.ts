/** Delivers what waits to a provider: in order, one at a time, again after a failure, behind the turn. One process of a home at a time does so, for all. */
import { HermesError } from '../shared/hermes-error.ts'
import type { Result } from '../shared/result.ts'
import type { HookOutcome } from './hook-guard.ts'
import type { HomeProvider, ProviderCall, ProviderForgetTarget } from './memory-provider.ts'
import type { ProviderHooks } from './provider-hooks.ts'
import type { ProviderConnectionOptions } from './provider-options.ts'
import { FRESH_MS, WaitingItems } from './waiting-items.ts'
import type { NewItem, WaitingItem } from './waiting-list.ts'

/** When the list is read again after the storage failed, unless an attempt waits anyway. */
const TRY_AGAIN_MS = 60_000
const FIRST_WAIT_MS = 1_000
/** Longest time between two attempts to deliver an item. */
const LONGEST_WAIT_MS = 300_000
/** Attempts whose wait still grows. */
const MAX_DOUBLINGS = 9

const MIXES_PROJECTS = new HermesError('invalid', 'The memory provider does not keep projects apart.')

const HOOK_OF = {
  turn: 'syncTurn',
  write: 'onMemoryWrite',
  switch: 'onSessionSwitch',
  end: 'onSessionEnd',
} as const satisfies Record<WaitingItem['kind'], keyof HomeProvider>

export class Outbox {
  readonly #options: ProviderConnectionOptions
  readonly #hooks: ProviderHooks
  readonly #waiting: WaitingItems
  /** Items that this process may deliver, and when it read them (epoch milliseconds). */
  #taken: readonly WaitingItem[] = []
  #takenAt = Number.NEGATIVE_INFINITY
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
    // The provider may have to be opened first.
    this.#waiting = new WaitingItems(options, hooks.guard, 3 * hooks.patient.limitMs)
    this.#waiting.onFailed = (error) => this.#failed(error)
  }

  /** True if nothing is being delivered, and what waits is stored. */
  get isSaved(): boolean {
    return this.#working === undefined && this.#waiting.areStored
  }

  /** Resolves when the item is stored, or storing it has failed; it is delivered behind in both cases. */
  async add(item: NewItem): Promise<void> {
    if (this.#stopped || !this.#hooks.mayHave(HOOK_OF[item.kind])) return
    await this.#waiting.add(item, !this.#isWaiting)
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
    await this.#waiting.added()
    while (this.#working !== undefined) await this.#working
  }

  /** Removes what is to be erased from what waits, then runs `then` with the number of items, all while nothing is delivered. */
  forget(target: ProviderForgetTarget, then: (removed: number) => Promise<Result<number>>): Promise<Result<number>> {
    return this.#alone(async () => {
      this.#taken = []
      const removed = await this.#waiting.forget(target)
      return removed.ok ? then(removed.value) : removed
    })
  }

  /** Delivers for at most `limitMs` (0: nothing more), gives up the hooks that run, and leaves the rest to other processes. */
  async close(limitMs: number): Promise<void> {
    const { guard } = this.#hooks
    this.#stopped = limitMs === 0
    // With 0, what is being delivered would otherwise arrive after the erasure that closes the home.
    const last = this.#stopped ? this.#alone(async () => {}) : this.#deliverRest()
    await guard.within(limitMs || this.#options.timeoutMs, last)
    this.#stopped = true
    this.#cancelTimer()
    guard.abandon()
    if (limitMs === 0) return
    await guard.within(limitMs, this.#leave())
    this.#waiting.giveUp()
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

  /** Also what was stored while the list was read for the last time. */
  async #deliverRest(): Promise<void> {
    await this.#waiting.added()
    await this.#work()
    await this.settled()
  }

  async #deliverAll(): Promise<void> {
    while (!this.#stopped && (await this.#alone(() => this.#deliverNext())));
  }

  /** False if nothing is left for this process, or it waits. */
  async #deliverNext(): Promise<boolean> {
    if (this.#taken.length === 0 || Math.abs(this.#options.clock() - this.#takenAt) >= FRESH_MS) await this.#take()
    const [item] = this.#taken
    if (!item || this.#stopped) return false
    const outcome = await this.#handOver(item)
    const isRefused = outcome.kind === 'failed' && outcome.error.code === 'invalid'
    if (outcome.kind === 'done' || isRefused) {
      this.#failures = 0
      this.#retryAt = 0
      if (isRefused) this.#waiting.dropped(1)
      this.#taken = this.#taken.filter((each) => each !== item)
      this.#waiting.delivered(item)
      return true
    }
    if (this.#stopped) return false
    if (outcome.kind === 'failed') this.#failures = Math.min(this.#failures + 1, MAX_DOUBLINGS)
    const waitMs = outcome.kind === 'failed' ? FIRST_WAIT_MS * 2 ** (this.#failures - 1) : outcome.until - this.#options.clock()
    this.#retryAt = this.#options.clock() + this.#after(waitMs)
    // Another process may be luckier.
    await this.#leave()
    return false
  }

  /** If another process delivers, looks again when its lease ends. */
  async #take(): Promise<void> {
    const { items, busyUntil } = await this.#waiting.take()
    this.#taken = items
    this.#takenAt = this.#options.clock()
    if (busyUntil !== undefined) this.#after(busyUntil - this.#takenAt)
  }

  async #leave(): Promise<void> {
    this.#taken = []
    await this.#waiting.leave()
  }

  /** An item that the provider has no hook for is done. */
  async #handOver({ kind, ...given }: WaitingItem): Promise<HookOutcome<void>> {
    // Stored for another version of the provider, which kept projects apart.
    if (given.project !== undefined && this.#options.provider.projects !== true) return { kind: 'failed', error: MIXES_PROJECTS }
    const deliver = (hook: unknown, call: ProviderCall) => (hook as (item: object, call: ProviderCall) => Promise<void>)(given, call)
    const outcome = await this.#hooks.use(HOOK_OF[kind], deliver, this.#hooks.patient)
    return outcome.kind === 'missing' ? { kind: 'done', value: undefined } : outcome
  }

  /** Tries again after about that time, and returns it. */
  #after(waitMs: number): number {
    const ms = Math.min(Math.max(waitMs, FIRST_WAIT_MS), LONGEST_WAIT_MS)
    this.#cancelTimer()
    if (!this.#stopped) this.#cancelTimer = this.#hooks.guard.timers.after(ms, false, () => this.retry())
    return ms
  }

  #failed(error: HermesError): void {
    // The owner was erased, or the home closed: nothing may be delivered any more.
    if (error.code === 'closed') this.#stopped = true
    else {
      this.#hooks.guard.fail('outbox', error)
      if (!this.#isWaiting) this.#after(TRY_AGAIN_MS)
    }
  }
}
