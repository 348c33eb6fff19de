/** Calls the hooks of a provider: with a time limit, never throwing, and not at all while the provider is paused. Every failure is an event. */
import { HermesError } from '../shared/hermes-error.ts'
import { redactCredentials } from '../threats/credentials/redact-credentials.ts'
import type { ProviderCall } from './memory-provider.ts'
import type { ProviderConnectionOptions, ProviderEvent, ProviderTimers } from './provider-connection.ts'

export type HookOutcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: HermesError }
  /** The provider is paused until this time (epoch milliseconds). */
  | { readonly kind: 'skipped'; readonly until: number }

export interface HookOptions {
  /** Default: the time limit of every hook. */
  readonly limitMs?: number
  /** Called although the provider is paused, because a person asked for it. */
  readonly always?: boolean
  /** False: an error says nothing about the next call, such as one about the input of a tool. A time-out always does. Default true. */
  readonly countsErrors?: boolean
}

type Hook<T> = (call: ProviderCall) => T | Promise<T>

type Emitted<T> = T extends unknown ? Omit<T, 'at' | 'provider'> : never

// Real timers also under the fake ones of a host's tests, where a time limit would never pass.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

/** A timer of Node that keeps the process alive unless told otherwise; elsewhere it is a number. */
const release = (timer: unknown): void => {
  if (typeof timer !== 'object' || timer === null) return
  const unref: unknown = Reflect.get(timer, 'unref')
  if (typeof unref === 'function') Reflect.apply(unref, timer, [])
}

const systemTimers: ProviderTimers = {
  after(ms, keepsAlive, then) {
    const timer = startTimer(then, ms)
    if (!keepsAlive) release(timer)
    return () => stopTimer(timer)
  },
}

const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 300_000
/** Failures in a row that pause a provider. A time-out does so at once, since it may have delayed a turn. */
const MAX_FAILURES = 3

/** Whether a provider is called or skipped for a while. */
interface ProviderHealth {
  /** Failures since the last success. */
  readonly failures: number
  /** Pauses since the last success. */
  readonly pauses: number
  /** Epoch milliseconds. At this time the provider may be tried again. */
  readonly pausedUntil: number | undefined
}

const HEALTHY: ProviderHealth = { failures: 0, pauses: 0, pausedUntil: undefined }

/** A pause later than the longest one comes from a clock that was set back since. */
const isSkipped = ({ pausedUntil }: ProviderHealth, at: number): boolean =>
  pausedUntil !== undefined && at < pausedUntil && pausedUntil - at <= LONGEST_PAUSE_MS

/** After a pause, the first failure begins the next one. */
const afterFailure = (health: ProviderHealth, at: number, tookTooLong: boolean): ProviderHealth => {
  const failures = health.failures + 1
  if (isSkipped(health, at)) return { ...health, failures }
  if (!tookTooLong && failures < MAX_FAILURES && health.pauses === 0) return { ...health, failures }
  const pausedUntil = at + Math.min(FIRST_PAUSE_MS * 2 ** health.pauses, LONGEST_PAUSE_MS)
  return { failures, pauses: health.pauses + 1, pausedUntil }
}

/** Maximum length of a message of the provider in an error. */
const MAX_MESSAGE = 500

const describe = (cause: unknown): string => {
  try {
    // A service may repeat the key that it refuses. Cut after twice the maximum, so that no half of a key is left.
    const message = cause instanceof Error ? cause.message : String(cause)
    return redactCredentials(message.slice(0, 2 * MAX_MESSAGE)).slice(0, MAX_MESSAGE)
  } catch {
    return 'a value that cannot be shown'
  }
}

export class HookGuard {
  readonly timers: ProviderTimers
  /** Called when the provider works again after a pause. */
  onResumed = () => {}
  readonly #options: ProviderConnectionOptions
  #health = HEALTHY
  /** The call that tries a paused provider again. */
  #trial: Promise<unknown> | undefined
  readonly #running = new Set<Promise<unknown>>()
  readonly #giveUps = new Set<() => void>()

  constructor(options: ProviderConnectionOptions) {
    this.#options = options
    this.timers = options.timers ?? systemTimers
  }

  /** No hook runs, except those that have passed their time limit. */
  get idle(): boolean {
    return this.#running.size === 0
  }

  emit(event: Emitted<ProviderEvent>): void {
    const { emit, clock, provider } = this.#options
    emit({ ...event, at: clock(), provider: provider.name })
  }

  /** Reports a failure that says nothing about the next call. */
  fail(operation: string, error: HermesError): void {
    this.emit({ type: 'provider-failed', operation, error })
  }

  /** Starts the hook before it returns, unless another call tries a paused provider just now. Never rejects. */
  async call<T>(operation: string, hook: Hook<T>, options: HookOptions = {}): Promise<HookOutcome<T>> {
    const { always = false } = options
    while (this.#trial && !always) await this.#trial
    if (always || this.#health.pausedUntil === undefined) return this.#track(this.#timed(operation, hook, options))
    if (isSkipped(this.#health, this.#options.clock())) return { kind: 'skipped', until: this.#health.pausedUntil }
    const trying = this.#track(this.#timed(operation, hook, options))
    this.#trial = trying
    try {
      return await trying
    } finally {
      this.#trial = undefined
    }
  }

  /** Gives up the hooks that run, without an event: the home is closed. */
  abandon(): void {
    for (const giveUp of [...this.#giveUps]) giveUp()
  }

  /** Resolves when the hooks that run now have ended, or passed their time limits. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** Resolves when the work is done or the time is up. */
  async within(limitMs: number, work: Promise<unknown>): Promise<void> {
    let cancel = () => {}
    const timeUp = new Promise<void>((resolve) => {
      cancel = this.timers.after(limitMs, true, resolve)
    })
    await Promise.race([work, timeUp])
    cancel()
  }

  #failed(operation: string, error: HermesError, countsErrors = true): HookOutcome<never> {
    this.fail(operation, error)
    // A refusal is an answer: the provider works.
    if (error.code === 'invalid' || (!countsErrors && error.code !== 'timeout')) return { kind: 'failed', error }
    const { pauses } = this.#health
    this.#health = afterFailure(this.#health, this.#options.clock(), error.code === 'timeout')
    const { pausedUntil } = this.#health
    if (this.#health.pauses > pauses && pausedUntil !== undefined) this.emit({ type: 'provider-paused', until: pausedUntil, error })
    return { kind: 'failed', error }
  }

  #succeeded<T>(value: T): HookOutcome<T> {
    const wasPaused = this.#health.pausedUntil !== undefined
    this.#health = HEALTHY
    if (wasPaused) {
      this.emit({ type: 'provider-resumed' })
      this.onResumed()
    }
    return { kind: 'done', value }
  }

  /** An error of Hermes keeps its code, except for `timeout`, which is the guard's own. Any other failure of a provider is `provider`. */
  #toError(operation: string, cause: unknown): HermesError {
    if (HermesError.isInstance(cause) && cause.code !== 'timeout') return cause
    const message = `'${operation}' of memory provider '${this.#options.provider.name}' failed: ${describe(cause)}`
    return new HermesError('provider', message, { cause })
  }

  async #timed<T>(operation: string, hook: Hook<T>, options: HookOptions): Promise<HookOutcome<T>> {
    const { provider, timeoutMs } = this.#options
    const { limitMs = timeoutMs, countsErrors } = options
    const controller = new AbortController()
    let end = () => {}
    const timeUp = new Promise<HookOutcome<T>>((resolve) => {
      const cancel = this.timers.after(limitMs, true, () => {
        const message = `'${operation}' of memory provider '${provider.name}' did not answer within ${limitMs} ms. Raise 'memory.providerTimeoutMs' or use a faster provider.`
        const error = new HermesError('timeout', message)
        resolve(this.#failed(operation, error))
        controller.abort(error)
      })
      const giveUp = () => {
        const error = new HermesError(
          'closed',
          `The home was closed while '${operation}' of memory provider '${provider.name}' was running.`,
        )
        resolve({ kind: 'failed', error })
        controller.abort(error)
        end()
      }
      this.#giveUps.add(giveUp)
      end = () => {
        this.#giveUps.delete(giveUp)
        cancel()
      }
    })
    const start = async () => hook({ signal: controller.signal })
    const answered = start().then(
      (value) => (controller.signal.aborted ? timeUp : this.#succeeded(value)),
      (cause: unknown) => (controller.signal.aborted ? timeUp : this.#failed(operation, this.#toError(operation, cause), countsErrors)),
    )
    try {
      return await Promise.race([answered, timeUp])
    } finally {
      end()
    }
  }

  async #track<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work)
    try {
      return await work
    } finally {
      this.#running.delete(work)
    }
  }
}
