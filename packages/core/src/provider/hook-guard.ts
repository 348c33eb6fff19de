/** Calls the hooks of a provider: with a time limit, never throwing, and not at all while the provider is paused. Every failure is an event. */
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { redactCredentials } from '../threats/credentials/redact-credentials.ts'
import type { ProviderCall } from './memory-provider.ts'
import type { ProviderEvent } from './provider-event.ts'
import { afterFailure, HEALTHY, isSkipped } from './provider-health.ts'
import type { ProviderTimers } from './provider-timers.ts'

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

export interface HookGuard {
  /** Starts the hook before it returns, unless another call tries a paused provider just now. Never rejects. */
  call<T>(operation: string, hook: (call: ProviderCall) => T | Promise<T>, options?: HookOptions): Promise<HookOutcome<T>>
  /** Reports a failure that says nothing about the next call. */
  fail(operation: string, error: HermesError): void
  emit(event: NewProviderEvent): void
  /** Gives up the hooks that run, without an event: the home is closed. */
  abandon(): void
  /** No hook runs, except those that have passed their time limit. */
  readonly idle: boolean
  /** Resolves when the hooks that run now have ended, or passed their time limits. */
  settled(): Promise<void>
}

type Told<T> = T extends unknown ? Omit<T, 'at' | 'provider'> : never
export type NewProviderEvent = Told<ProviderEvent>

export interface HookGuardOptions {
  readonly name: string
  readonly clock: Clock
  readonly timers: ProviderTimers
  readonly timeoutMs: number
  readonly emit: (event: ProviderEvent) => void
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

/** An error of Hermes keeps its code, except for `timeout`, which is the guard's own. Any other failure of a provider is `provider`. */
const toError = (name: string, operation: string, cause: unknown): HermesError => {
  if (HermesError.isInstance(cause) && cause.code !== 'timeout') return cause
  return new HermesError('provider', `'${operation}' of memory provider '${name}' failed: ${describe(cause)}`, {
    cause,
  })
}

export const hookGuard = ({ name, clock, timers, timeoutMs, emit }: HookGuardOptions): HookGuard => {
  let health = HEALTHY
  /** The call that tries a paused provider again. */
  let trial: Promise<unknown> | undefined
  const running = new Set<Promise<unknown>>()
  const giveUps = new Set<() => void>()

  const tell = (event: NewProviderEvent): void => emit({ ...event, at: clock(), provider: name })
  const fail = (operation: string, error: HermesError): void => tell({ type: 'provider-failed', operation, error })

  const failed = (operation: string, error: HermesError, countsErrors = true): HookOutcome<never> => {
    fail(operation, error)
    // A refusal is an answer: the provider works.
    if (error.code === 'invalid' || (!countsErrors && error.code !== 'timeout')) return { kind: 'failed', error }
    const next = afterFailure(health, { at: clock(), tookTooLong: error.code === 'timeout' })
    health = next.health
    if (next.isPaused) tell({ type: 'provider-paused', until: health.pausedUntil ?? clock(), error })
    return { kind: 'failed', error }
  }

  const succeeded = <T>(value: T): HookOutcome<T> => {
    const wasPaused = health.pausedUntil !== undefined
    health = HEALTHY
    if (wasPaused) tell({ type: 'provider-resumed' })
    return { kind: 'done', value }
  }

  const start = async <T>(hook: (call: ProviderCall) => T | Promise<T>, call: ProviderCall): Promise<T> => hook(call)

  const timed = async <T>(
    operation: string,
    hook: (call: ProviderCall) => T | Promise<T>,
    { limitMs = timeoutMs, countsErrors }: HookOptions,
  ): Promise<HookOutcome<T>> => {
    const controller = new AbortController()
    const message = `'${operation}' of memory provider '${name}' did not answer within ${limitMs} ms. Raise 'memory.providerTimeoutMs' or use a faster provider.`
    let end = () => {}
    const timeUp = new Promise<HookOutcome<T>>((resolve) => {
      const cancel = timers.after(limitMs, true, () => {
        const error = new HermesError('timeout', message)
        resolve(failed(operation, error))
        controller.abort(error)
      })
      const giveUp = () => {
        const error = new HermesError('closed', `The home was closed while '${operation}' of memory provider '${name}' was running.`)
        resolve({ kind: 'failed', error })
        controller.abort(error)
        end()
      }
      giveUps.add(giveUp)
      end = () => {
        giveUps.delete(giveUp)
        cancel()
      }
    })
    const answered = start(hook, { signal: controller.signal }).then(
      (value) => (controller.signal.aborted ? timeUp : succeeded(value)),
      (cause: unknown) => (controller.signal.aborted ? timeUp : failed(operation, toError(name, operation, cause), countsErrors)),
    )
    try {
      return await Promise.race([answered, timeUp])
    } finally {
      end()
    }
  }

  const track = async <T>(work: Promise<T>): Promise<T> => {
    running.add(work)
    try {
      return await work
    } finally {
      running.delete(work)
    }
  }

  const call: HookGuard['call'] = async (operation, hook, options = {}) => {
    const { always = false } = options
    while (trial && !always) await trial
    if (always || health.pausedUntil === undefined) return track(timed(operation, hook, options))
    if (isSkipped(health, clock())) return { kind: 'skipped', until: health.pausedUntil }
    const trying = track(timed(operation, hook, options))
    trial = trying
    try {
      return await trying
    } finally {
      trial = undefined
    }
  }

  return {
    call,
    fail,
    emit: tell,
    abandon() {
      for (const giveUp of [...giveUps]) giveUp()
    },
    get idle() {
      return running.size === 0
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
