/** The hooks of a provider in one home: opened at their first use, and again after a failure. */
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import { HookGuard, type HookOptions, type HookOutcome } from './hook-guard.ts'
import type { HomeProvider, ProviderCall } from './memory-provider.ts'
import type { ProviderConnectionOptions } from './provider-options.ts'

const HOOKS = [
  ...(['onTurnStart', 'prefetch', 'queuePrefetch', 'syncTurn', 'onMemoryWrite', 'onPreCompress'] as const),
  ...(['onSessionSwitch', 'onSessionEnd', 'callTool', 'forget', 'shutdown'] as const),
] satisfies readonly (keyof HomeProvider)[]

/** Time limits, as multiples of the one that a turn may wait for: of what nothing waits for, and of tools, which the agent calls. */
const PATIENT_LIMITS = 10
/** The same for erasing, which a person waits for. */
const FORGET_LIMITS = 40

/** The hooks of an opened provider, each bound. Throws for anything that is not an object with functions. */
const hooksOf = (name: string, opened: unknown): HomeProvider => {
  const wrong = (what: string) => new HermesError('provider', `'initialize' of memory provider '${name}' returned ${what}.`)
  if (typeof opened !== 'object' || opened === null) throw wrong('no object with hooks')
  const hooks = HOOKS.flatMap((hook) => {
    const found: unknown = Reflect.get(opened, hook)
    if (found === undefined) return []
    if (typeof found !== 'function') throw wrong(`an object whose '${hook}' is not a function`)
    return [[hook, (...given: unknown[]): unknown => Reflect.apply(found, opened, given)]]
  })
  return Object.fromEntries(hooks) as HomeProvider
}

const CLOSED = { kind: 'skipped', until: 0 } as const

export class ProviderHooks {
  readonly guard: HookGuard
  readonly patient: HookOptions & { readonly limitMs: number }
  readonly forgetting: HookOptions
  readonly #options: ProviderConnectionOptions
  /** Ends when an earlier connection of the home is closed. */
  readonly #former: Promise<unknown>
  #hooks: HomeProvider | undefined
  #opening: Promise<HookOutcome<HomeProvider>> | undefined
  #closed = false

  constructor(options: ProviderConnectionOptions, former: Promise<unknown>) {
    this.#options = options
    this.#former = former
    this.guard = new HookGuard(options)
    this.patient = { limitMs: PATIENT_LIMITS * options.timeoutMs }
    this.forgetting = { limitMs: FORGET_LIMITS * options.timeoutMs, always: true }
  }

  /** False if the provider is known to have no such hook. */
  mayHave(hook: keyof HomeProvider): boolean {
    return this.#hooks === undefined || this.#hooks[hook] !== undefined
  }

  /**
   * `missing` if the provider has no such hook. The hook is started before the call returns if the provider is open and not paused. `operation`: its name in events,
   * if it is another than that of the hook.
   */
  async use<Hook extends keyof HomeProvider, T>(
    hook: Hook,
    start: (hook: NonNullable<HomeProvider[Hook]>, call: ProviderCall) => T | Promise<T>,
    options: HookOptions & { readonly operation?: string } = {},
  ): Promise<HookOutcome<T> | { readonly kind: 'missing' }> {
    if (!this.#hooks) {
      if (this.#closed) return CLOSED
      // Concurrent callers share one attempt.
      this.#opening ??= this.guard
        .call('initialize', (call) => this.#initialize(call), options)
        .finally(() => {
          this.#opening = undefined
        })
      const opened = await this.#opening
      if (this.#closed) return CLOSED
      if (opened.kind !== 'done') return opened
      this.#hooks = opened.value
    }
    const found = this.#hooks[hook]
    if (!found) return { kind: 'missing' }
    return this.guard.call(options.operation ?? hook, (call) => start(found, call), options)
  }

  /** Shuts the provider down, also one that is being opened. */
  async close(): Promise<void> {
    this.#closed = true
    const { shutdown } = this.#hooks ?? {}
    this.#hooks = undefined
    if (shutdown) await this.guard.call('shutdown', shutdown, { always: true })
  }

  async #initialize(call: ProviderCall): Promise<HomeProvider> {
    const { provider, home, clock } = this.#options
    await this.#former
    const given = {
      ...(home.owner === undefined ? {} : { owner: home.owner }),
      folder: await home.folder(),
      clock,
      archived: () =>
        home.archived().catch((cause: unknown) => err(new HermesError('io', `The archive could not be read: ${String(cause)}`, { cause }))),
      report: (problem: unknown) => {
        const error = HermesError.isInstance(problem) ? problem : new HermesError('provider', String(problem), { cause: problem })
        this.guard.fail('report', error)
      },
    }
    const opened = hooksOf(provider.name, await provider.initialize(given, call))
    // Too late: what it opened must not stay open.
    if (call.signal.aborted || this.#closed) await opened.shutdown?.({ signal: new AbortController().signal })
    return opened
  }
}
