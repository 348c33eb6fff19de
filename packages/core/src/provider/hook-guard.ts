/** Calls the hooks of a provider: with a time limit, never throwing, and not at all while the provider is paused. Every failure is an event. */
import { HermesError, messageOf } from '../shared/hermes-error.ts'
import { redactCredentials } from '../threats/credentials/redact-credentials.ts'
import type { ProviderCall } from './memory-provider.ts'
import type { ProviderConnectionOptions, ProviderEvent, ProviderTimers } from './provider-options.ts'

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

type Emitted<T> = T extends unknown ? Omit<T, 'at' | 'provider'> : never

// Real timers also under the fake ones of a host's tests, where a time limit would never pass.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

const systemTimers: ProviderTimers = {
  after(ms, keepsAlive, then) {
    const timer: unknown = startTimer(then, ms)
    // A timer of Node keeps the process alive unless told otherwise; elsewhere it is a number.
    if (!keepsAlive && typeof timer === 'object') (timer as { unref?(): void } | null)?.unref?.()
    return () => stopTimer(timer as ReturnType<typeof startTimer>)
  },
}

const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 300_000
/** Failures in a row that pause a provider. A time-out does so at once, since it may have delayed a turn. */
const MAX_FAILURES = 3
/** Maximum length of a message of the provider in an error. */
const MAX_MESSAGE = 500

const describe = (cause: unknown): string => {
  try {
    // A service may repeat the key that it refuses. Cut after twice the maximum, so that no half of a key is left.
    const message = messageOf(cause)
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
  /** Failures and pauses since the last success. */
  #failures = 0
  #pauses = 0
  /** Epoch milliseconds, at which the provider may be tried again; undefined if it is not paused. */
  #pausedUntil: number | undefined
  /** The call that tries a paused provider again. */
  #trial: Promise<unknown> | undefined
  readonly #running = new Map<AbortController, string>()

  constructor(options: ProviderConnectionOptions) {
    this.#options = options
    this.timers = options.timers ?? systemTimers
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
  async call<T>(operation: string, hook: (call: ProviderCall) => T | Promise<T>, options: HookOptions = {}): Promise<HookOutcome<T>> {
    while (this.#trial && !options.always) await this.#trial
    const until = this.#pausedUntil
    if (options.always || until === undefined) return this.#timed(operation, hook, options)
    if (this.#isPaused) return { kind: 'skipped', until }
    const trying = this.#timed(operation, hook, options)
    this.#trial = trying
    try {
      return await trying
    } finally {
      this.#trial = undefined
    }
  }

  /** Gives up the hooks that run, without an event: the home is closed. */
  abandon(): void {
    for (const [controller, operation] of this.#running)
      controller.abort(new HermesError('closed', `The home was closed while ${this.#nameOf(operation)} was running.`))
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

  /** A pause later than the longest one comes from a clock that was set back since. */
  get #isPaused(): boolean {
    const left = (this.#pausedUntil ?? 0) - this.#options.clock()
    return left > 0 && left <= LONGEST_PAUSE_MS
  }

  #nameOf(operation: string): string {
    return `'${operation}' of memory provider '${this.#options.provider.name}'`
  }

  async #timed<T>(
    operation: string,
    hook: (call: ProviderCall) => T | Promise<T>,
    { limitMs = this.#options.timeoutMs, countsErrors = true }: HookOptions,
  ): Promise<HookOutcome<T>> {
    const controller = new AbortController()
    const { signal } = controller
    const givenUp = new Promise<HermesError>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)))
    const advice = "Raise 'memory.providerTimeoutMs' or use a faster provider."
    const tooSlow = () => new HermesError('timeout', `${this.#nameOf(operation)} did not answer within ${limitMs} ms. ${advice}`)
    const cancel = this.timers.after(limitMs, true, () => controller.abort(tooSlow()))
    this.#running.set(controller, operation)
    const start = async () => hook({ signal })
    const answered = start().then(
      (value) => ({ value }),
      (cause: unknown) => this.#toError(operation, cause),
    )
    const answer = await Promise.race([answered, givenUp])
    cancel()
    this.#running.delete(controller)
    if (!HermesError.isInstance(answer)) return this.#succeeded(answer.value)
    if (answer !== signal.reason || answer.code !== 'closed') this.#failed(operation, answer, countsErrors)
    return { kind: 'failed', error: answer }
  }

  /** An error of Hermes keeps its code, except for `timeout`, which is the guard's own. Any other failure of a provider is `provider`. */
  #toError(operation: string, cause: unknown): HermesError {
    if (HermesError.isInstance(cause) && cause.code !== 'timeout') return cause
    return new HermesError('provider', `${this.#nameOf(operation)} failed: ${describe(cause)}`, { cause })
  }

  #succeeded<T>(value: T): HookOutcome<T> {
    const wasPaused = this.#pausedUntil !== undefined
    this.#failures = 0
    this.#pauses = 0
    this.#pausedUntil = undefined
    if (wasPaused) {
      this.emit({ type: 'provider-resumed' })
      this.onResumed()
    }
    return { kind: 'done', value }
  }

  /** A refusal is an answer: the provider works. After a pause, the first failure begins the next one. */
  #failed(operation: string, error: HermesError, countsErrors: boolean): void {
    this.fail(operation, error)
    if (error.code === 'invalid' || (!countsErrors && error.code !== 'timeout')) return
    this.#failures++
    if (this.#isPaused || (error.code !== 'timeout' && this.#failures < MAX_FAILURES && this.#pauses === 0)) return
    const until = this.#options.clock() + Math.min(FIRST_PAUSE_MS * 2 ** this.#pauses, LONGEST_PAUSE_MS)
    this.#pauses++
    this.#pausedUntil = until
    this.emit({ type: 'provider-paused', until, error })
  }
}
