/** Opens a provider for a home at its first use, and again after a failure. */
import type { OwnerId } from '../homes/owner.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import type { ConnectedHome } from './connection-options.ts'
import type { HookGuard, HookOptions, HookOutcome } from './hook-guard.ts'
import type { HomeProvider, MemoryProvider, ProviderCall, ProviderHome } from './memory-provider.ts'

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

/** Its hooks, each bound. Throws for anything that is not an object with functions. */
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

const providerHome = (home: ConnectedHome, clock: Clock, guard: HookGuard): ProviderHome => {
  const owner: { readonly owner?: OwnerId } = home.owner === undefined ? {} : { owner: home.owner }
  return {
    ...owner,
    folder: home.folder,
    clock,
    async archived() {
      try {
        return await home.archived()
      } catch (cause) {
        return err(new HermesError('io', `The archive could not be read: ${String(cause)}`, { cause }))
      }
    },
    report(problem) {
      const error = HermesError.isInstance(problem) ? problem : new HermesError('provider', String(problem), { cause: problem })
      guard.fail('report', error)
    },
  }
}

const CLOSED: HookOutcome<never> = { kind: 'skipped', until: 0 }

export interface OpenHome {
  /** Undefined until the provider is open. */
  readonly hooks: HomeProvider | undefined
  /** Concurrent callers share one attempt. */
  open(options?: HookOptions): Promise<HookOutcome<HomeProvider>>
  /** Shuts the provider down, also one that is being opened. */
  close(): Promise<void>
}

export interface OpenHomeOptions {
  readonly provider: MemoryProvider
  readonly home: ConnectedHome
  readonly clock: Clock
  readonly guard: HookGuard
}

export const openHome = ({ provider, home, clock, guard }: OpenHomeOptions): OpenHome => {
  let hooks: HomeProvider | undefined
  let opening: Promise<HookOutcome<HomeProvider>> | undefined
  let closed = false
  const given = providerHome(home, clock, guard)

  const initialize = async (call: ProviderCall): Promise<HomeProvider> => {
    const opened = hooksOf(provider.name, await provider.initialize(given, call))
    // Too late: what it opened must not stay open.
    if (call.signal.aborted || closed) await opened.shutdown?.({ signal: new AbortController().signal })
    return opened
  }

  const attempt = async (options: HookOptions | undefined): Promise<HookOutcome<HomeProvider>> => {
    try {
      const opened = await guard.call('initialize', initialize, options)
      if (closed) return CLOSED
      if (opened.kind === 'done') hooks = opened.value
      return opened
    } finally {
      opening = undefined
    }
  }

  return {
    get hooks() {
      return hooks
    },
    async open(options) {
      if (closed) return CLOSED
      if (hooks) return { kind: 'done', value: hooks }
      opening ??= attempt(options)
      return opening
    },
    async close() {
      closed = true
      const { shutdown } = hooks ?? {}
      hooks = undefined
      if (shutdown) await guard.call('shutdown', shutdown, { always: true })
    },
  }
}
