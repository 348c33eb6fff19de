/** Delivers what waits to a provider: in order, one at a time, again after a failure, behind the turn. */
import type { Clock } from '../shared/clock.ts'
import type { HookOutcome } from './hook-guard.ts'
import type { Outbox } from './outbox.ts'
import { ALIVE_MS } from './plan-outbox.ts'
import type { WaitingItem } from './provider-items.ts'
import type { ProviderTimers } from './provider-timers.ts'

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 300_000
/** What was stored longer ago may have been erased by another process meanwhile. */
const FRESH_MS = 50
/** Attempts whose wait still grows. */
const MAX_DOUBLINGS = 9
/** When nothing else is added, delivered items are removed after this time. */
const TIDY_AFTER_MS = 45_000

export interface Delivery {
  /** Starts behind the turn, unless an attempt waits for its time. */
  start(): void
  /** Starts behind the turn, since the provider works again. */
  retry(): void
  /** Tries each item at once, until one fails. */
  flush(): Promise<void>
  /** Runs work while nothing is delivered. */
  paused<T>(work: () => Promise<T>): Promise<T>
  /** Stops all timers, and delivery after the item that is being delivered. */
  stop(): void
  readonly idle: boolean
  /** True while items are delivered; false while they wait for another attempt. */
  readonly working: boolean
  /** Resolves when everything that waits has been tried once. */
  settled(): Promise<void>
}

export interface DeliveryOptions {
  readonly outbox: Outbox
  /** Fails if the item must be delivered again. */
  readonly deliver: (item: WaitingItem) => Promise<HookOutcome<unknown>>
  /** Called for an item that the provider can never store: it is not delivered again. */
  readonly onRefused: () => void
  readonly clock: Clock
  readonly timers: ProviderTimers
  readonly run: (work: () => Promise<void>) => void
}

export const createDelivery = ({ outbox, deliver, onRefused, clock, timers, run }: DeliveryOptions): Delivery => {
  let attempts = 0
  /** Epoch milliseconds; 0 if no attempt has failed. */
  let retryAt = 0
  let working: Promise<void> | undefined
  let lane: Promise<unknown> = Promise.resolve()
  let stopped = false
  let cancelTimer = () => {}

  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const result = lane.then(work)
    lane = result.catch(() => {})
    return result
  }

  const schedule = (waitMs: number, then: () => void): void => {
    cancelTimer()
    if (!stopped) cancelTimer = timers.after(waitMs, false, then)
  }

  const retry = (): void => {
    retryAt = 0
    start()
  }

  const postpone = async (waitMs: number): Promise<void> => {
    if (stopped) return
    retryAt = clock() + waitMs
    schedule(waitMs, retry)
    // Other processes leave the items to this one until after the next attempt.
    if (outbox.aliveUntil < retryAt + FIRST_WAIT_MS) await outbox.tidy(waitMs + ALIVE_MS)
  }

  /** False if the item waits for another attempt. */
  const deliverNext = async (): Promise<boolean> => {
    if (Math.abs(clock() - outbox.readAt) >= FRESH_MS) await outbox.refresh()
    const [item] = outbox.waiting
    if (!item) return true
    const outcome = await deliver(item)
    const isRefused = outcome.kind === 'failed' && outcome.error.code === 'invalid'
    if (outcome.kind === 'done' || isRefused) {
      attempts = 0
      retryAt = 0
      outbox.delivered(item)
      if (isRefused) onRefused()
      return true
    }
    if (outcome.kind === 'failed') attempts = Math.min(attempts + 1, MAX_DOUBLINGS)
    const waitMs = outcome.kind === 'failed' ? FIRST_WAIT_MS * 2 ** (attempts - 1) : outcome.until - clock()
    await postpone(Math.min(Math.max(waitMs, FIRST_WAIT_MS), LONGEST_WAIT_MS))
    return false
  }

  const deliverAll = async (): Promise<void> => {
    let goesOn = true
    while (!stopped && goesOn && outbox.waiting.length > 0) goesOn = await alone(deliverNext)
    if (goesOn && outbox.untidy) schedule(TIDY_AFTER_MS, () => run(() => outbox.tidy()))
  }

  const work = (): Promise<void> => {
    working ??= deliverAll().finally(() => {
      working = undefined
      // Something may have been added after the last look.
      start()
    })
    return working
  }

  const isDue = (): boolean => clock() >= retryAt || retryAt - clock() > LONGEST_WAIT_MS

  const start = (): void => {
    if (stopped || working || outbox.waiting.length === 0 || !isDue()) return
    const begun = work()
    run(() => begun)
  }

  return {
    start,
    retry,
    flush: work,
    paused: alone,
    stop() {
      stopped = true
      cancelTimer()
    },
    get working() {
      return working !== undefined
    },
    get idle() {
      return working === undefined && outbox.waiting.length === 0
    },
    async settled() {
      while (working !== undefined) await working
      await outbox.settled()
      if (outbox.untidy) await outbox.tidy()
    },
  }
}
