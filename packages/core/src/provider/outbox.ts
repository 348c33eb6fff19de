/** Delivers what waits to a provider: in order, one at a time, again after a failure, behind the turn. */
import type { Result } from '../shared/result.ts'
import type { HomeHooks } from './home-hooks.ts'
import type { HookOutcome } from './hook-guard.ts'
import type { HomeProvider, ProviderCall, ProviderForgetTarget } from './memory-provider.ts'
import type { ProviderConnectionOptions } from './provider-connection.ts'
import type { NewItem, WaitingItem } from './waiting-items.ts'
import { Lane, LONGEST_WAIT_MS, WaitingList } from './waiting-list.ts'

const FIRST_WAIT_MS = 1_000
/** Attempts whose wait still grows. */
const MAX_DOUBLINGS = 9
/** What was read longer ago may have been erased by another process meanwhile. */
const FRESH_MS = 50
/** When nothing else is added, delivered items are removed after this time. */
const TIDY_AFTER_MS = 45_000

const HOOK_OF = {
  turn: 'syncTurn',
  write: 'onMemoryWrite',
  switch: 'onSessionSwitch',
  end: 'onSessionEnd',
} as const satisfies Record<WaitingItem['kind'], keyof HomeProvider>

type Deliver = (given: object, call: ProviderCall) => Promise<void>

export class Outbox {
  readonly #options: ProviderConnectionOptions
  readonly #hooks: HomeHooks
  readonly #list: WaitingList
  readonly #lane = new Lane()
  #attempts = 0
  #working: Promise<void> | undefined
  #stopped = false
  #cancelTimer = () => {}

  constructor(options: ProviderConnectionOptions, hooks: HomeHooks) {
    this.#options = options
    this.#hooks = hooks
    // The provider may have to be opened first.
    this.#list = new WaitingList(options, hooks.guard, 3 * hooks.patient.limitMs)
  }

  /** True while items are delivered; false while they wait for another attempt. */
  get working(): boolean {
    return this.#working !== undefined
  }

  get idle(): boolean {
    return !this.working && this.#list.waiting.length === 0
  }

  /** Resolves when the item is stored, or storing it has failed; it is delivered behind in both cases. */
  async add(item: NewItem): Promise<void> {
    if (!this.#hooks.mayHave(HOOK_OF[item.kind])) return
    await this.#list.add(item)
    this.start()
  }

  /** Delivers what other processes have left that are gone. Resolves when it has started. */
  async takeOver(): Promise<void> {
    await this.#list.sync()
    this.start()
  }

  /** Starts behind the turn, unless an attempt waits for its time. */
  start(): void {
    const wait = this.#list.retryAt - this.#options.clock()
    if (this.#stopped || this.working || this.#list.waiting.length === 0 || (wait > 0 && wait <= LONGEST_WAIT_MS)) return
    const begun = this.#work()
    this.#options.run(() => begun)
  }

  /** Starts behind the turn, since the provider works again. */
  retry(): void {
    this.#list.retryAt = 0
    this.start()
  }

  /** Resolves when everything that waits has been tried once, and what was delivered is removed. */
  async settled(): Promise<void> {
    while (this.working) await this.#working
    await this.#list.settled()
    if (this.#list.isUntidy) await this.#list.sync()
  }

  /** Removes what is to be erased from what waits, then runs `then` with the number of items, all while nothing is delivered. */
  forget(target: ProviderForgetTarget, then: (removed: number) => Promise<Result<number>>): Promise<Result<number>> {
    return this.#lane.run(async () => {
      const removed = await this.#list.forget(target)
      return removed.ok ? then(removed.value) : removed
    })
  }

  /** Delivers for at most `limitMs` (0: nothing more), gives up the hooks that run, and leaves the rest to other processes. */
  async close(limitMs: number): Promise<void> {
    const { guard } = this.#hooks
    const delivers = limitMs > 0
    if (delivers)
      await guard.within(
        limitMs,
        this.#list.settled().then(() => this.#work()),
      )
    this.#stopped = true
    this.#cancelTimer()
    // What is being delivered would otherwise arrive after the erasure that closes the home.
    if (!delivers)
      await guard.within(
        this.#options.timeoutMs,
        this.#lane.run(async () => {}),
      )
    guard.abandon()
    if (delivers && (this.#list.isUntidy || this.#list.waiting.length > 0)) await guard.within(limitMs, this.#list.sync(true))
  }

  /** Tries each item at once, until one fails. */
  #work(): Promise<void> {
    this.#working ??= this.#deliverAll().finally(() => {
      this.#working = undefined
      // Something may have been added after the last look.
      this.start()
    })
    return this.#working
  }

  async #deliverAll(): Promise<void> {
    let goesOn = true
    while (!this.#stopped && goesOn && this.#list.waiting.length > 0) goesOn = await this.#lane.run(() => this.#deliverNext())
    if (goesOn && this.#list.isUntidy) this.#after(TIDY_AFTER_MS, () => this.#options.run(() => this.#list.sync()))
  }

  /** False if the item waits for another attempt. */
  async #deliverNext(): Promise<boolean> {
    const { clock, keepText } = this.#options
    if (keepText && Math.abs(clock() - this.#list.readAt) >= FRESH_MS) await this.#list.sync()
    const [item] = this.#list.waiting
    if (!item) return true
    const outcome = await this.#handOver(item)
    const isRefused = outcome.kind === 'failed' && outcome.error.code === 'invalid'
    if (outcome.kind === 'done' || isRefused) {
      this.#attempts = 0
      this.#list.retryAt = 0
      this.#list.delivered(item)
      if (isRefused) this.#list.dropped(1)
      return true
    }
    if (outcome.kind === 'failed') this.#attempts = Math.min(this.#attempts + 1, MAX_DOUBLINGS)
    const waitMs = outcome.kind === 'failed' ? FIRST_WAIT_MS * 2 ** (this.#attempts - 1) : outcome.until - clock()
    await this.#postpone(Math.min(Math.max(waitMs, FIRST_WAIT_MS), LONGEST_WAIT_MS))
    return false
  }

  /** An item that the provider has no hook for is done. */
  async #handOver(item: WaitingItem): Promise<HookOutcome<void>> {
    const { holder: _holder, until: _until, kind, ...given } = item
    const deliver = (hook: unknown, call: ProviderCall) => (hook as Deliver)(given, call)
    const outcome = await this.#hooks.use(HOOK_OF[kind], deliver, this.#hooks.patient)
    return outcome.kind === 'missing' ? { kind: 'done', value: undefined } : outcome
  }

  async #postpone(waitMs: number): Promise<void> {
    if (this.#stopped) return
    this.#list.retryAt = this.#options.clock() + waitMs
    this.#after(waitMs, () => this.retry())
    if (this.#list.waiting.some(({ until }) => until < this.#list.retryAt + FIRST_WAIT_MS)) await this.#list.sync()
  }

  #after(waitMs: number, then: () => void): void {
    this.#cancelTimer()
    if (!this.#stopped) this.#cancelTimer = this.#hooks.guard.timers.after(waitMs, false, then)
  }
}
