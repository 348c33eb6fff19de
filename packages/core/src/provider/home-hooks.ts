/** The hooks of a provider in one home: opened at their first use, and again after a failure. */
import { HermesError } from '../shared/hermes-error.ts'
import { isData, parseJson } from '../shared/json-texts.ts'
import { err } from '../shared/result.ts'
import { HookGuard, type HookOptions, type HookOutcome } from './hook-guard.ts'
import type { HomeProvider, ProviderCall, ProviderHome } from './memory-provider.ts'
import type { ProviderConnectionOptions } from './provider-connection.ts'
import { cleanText, MAX_TOOL_CHARS, readToolAnswer } from './provider-texts.ts'

const HOOKS = [
  'onTurnStart',
  'prefetch',
  'queuePrefetch',
  'syncTurn',
  'onMemoryWrite',
  'onPreCompress',
  'onSessionSwitch',
  'onSessionEnd',
  'callTool',
  'forget',
  'shutdown',
] as const satisfies readonly (keyof HomeProvider)[]

/** Time limits, as multiples of the one that a turn may wait for: of what nothing waits for, and of tools, which the agent calls. */
const PATIENT_LIMITS = 10
/** The same for erasing, which a person waits for. */
const FORGET_LIMITS = 40

export type HookUse<T> = HookOutcome<T> | { readonly kind: 'missing' }

export interface HookUseOptions extends HookOptions {
  /** In events. Default: the name of the hook. */
  readonly operation?: string
}

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

type ToolAnswer = Readonly<Record<string, unknown>>

interface ToolCall {
  readonly name: string
  readonly input: unknown
  readonly sessionId: string
}

const failure = (error: string): ToolAnswer => ({ success: false, error: cleanText(error) })

const CLOSED: HookOutcome<never> = { kind: 'skipped', until: 0 }

export class HomeHooks {
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

  /** `missing` if the provider has no such hook. The hook is started before the call returns if the provider is open and not paused. */
  async use<Hook extends keyof HomeProvider, T>(
    hook: Hook,
    start: (hook: NonNullable<HomeProvider[Hook]>, call: ProviderCall) => T | Promise<T>,
    options: HookUseOptions = {},
  ): Promise<HookUse<T>> {
    if (!this.#hooks) {
      const opened = await this.#open(options)
      if (opened.kind !== 'done') return opened
    }
    const found = this.#hooks?.[hook]
    if (!found) return { kind: 'missing' }
    return this.guard.call(options.operation ?? hook, (call) => start(found, call), options)
  }

  /** Runs a tool for the agent. The answer is always an object that the model can read, also for a failure. */
  async runTool({ name, input: given, sessionId }: ToolCall): Promise<ToolAnswer> {
    const { provider } = this.#options
    if (!provider.tools?.some((tool) => tool.name === name)) return failure(`There is no tool '${name}'.`)
    const input = typeof given === 'string' ? parseJson(given) : given
    if (!isData(input)) return failure(`The input of '${name}' must be a JSON object.`)
    const outcome = await this.use(
      'callTool',
      async (callTool, call) => {
        const read = readToolAnswer(await callTool({ name, input, sessionId }, call))
        if (read.kind === 'not-json')
          throw new HermesError('provider', `Tool '${name}' of memory provider '${provider.name}' must answer with a JSON object.`)
        return read
      },
      { ...this.patient, operation: `tool:${name}`, countsErrors: false },
    )
    switch (outcome.kind) {
      case 'missing':
        return failure(`The memory provider does not run '${name}'.`)
      case 'skipped':
        return failure('The memory provider does not work at the moment. Go on without it.')
      case 'failed':
        return failure(outcome.error.message)
      case 'done':
        if (outcome.value.kind === 'answer') return outcome.value.answer
        return failure(`The answer of '${name}' is longer than ${MAX_TOOL_CHARS} characters. Ask for less.`)
    }
  }

  /** Shuts the provider down, also one that is being opened. */
  async close(): Promise<void> {
    this.#closed = true
    const { shutdown } = this.#hooks ?? {}
    this.#hooks = undefined
    if (shutdown) await this.guard.call('shutdown', shutdown, { always: true })
  }

  /** Concurrent callers share one attempt. */
  async #open(options: HookOptions): Promise<HookOutcome<HomeProvider>> {
    if (this.#closed) return CLOSED
    this.#opening ??= this.#attempt(options)
    return this.#opening
  }

  async #attempt(options: HookOptions): Promise<HookOutcome<HomeProvider>> {
    try {
      const opened = await this.guard.call('initialize', (call) => this.#initialize(call), options)
      if (this.#closed) return CLOSED
      if (opened.kind === 'done') this.#hooks = opened.value
      return opened
    } finally {
      this.#opening = undefined
    }
  }

  async #initialize(call: ProviderCall): Promise<HomeProvider> {
    const { provider } = this.#options
    await this.#former
    const opened = hooksOf(provider.name, await provider.initialize(await this.#home(), call))
    // Too late: what it opened must not stay open.
    if (call.signal.aborted || this.#closed) await opened.shutdown?.({ signal: new AbortController().signal })
    return opened
  }

  async #home(): Promise<ProviderHome> {
    const { home, clock } = this.#options
    return {
      ...(home.owner === undefined ? {} : { owner: home.owner }),
      folder: await home.folder(),
      clock,
      async archived() {
        try {
          return await home.archived()
        } catch (cause) {
          return err(new HermesError('io', `The archive could not be read: ${String(cause)}`, { cause }))
        }
      },
      report: (problem) => {
        const error = HermesError.isInstance(problem) ? problem : new HermesError('provider', String(problem), { cause: problem })
        this.guard.fail('report', error)
      },
    }
  }
}
