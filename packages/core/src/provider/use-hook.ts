/** Calls a hook of a home's provider, which is opened first if necessary. */
import type { HookGuard, HookOptions, HookOutcome } from './hook-guard.ts'
import type { HomeProvider, ProviderCall } from './memory-provider.ts'
import type { OpenHome } from './open-home.ts'

export type HookUse<T> = HookOutcome<T> | { readonly kind: 'missing' }

export interface HookUseOptions extends HookOptions {
  /** In events. Default: the name of the hook. */
  readonly operation?: string
}

/** `missing` if the provider has no such hook. The hook is started before the call returns if the provider is open and not paused. */
export type UseHook = <Hook extends keyof HomeProvider, T>(
  hook: Hook,
  start: (hook: NonNullable<HomeProvider[Hook]>, call: ProviderCall) => T | Promise<T>,
  options?: HookUseOptions,
) => Promise<HookUse<T>>

export const useHookOf =
  ({ opener, guard }: { readonly opener: OpenHome; readonly guard: HookGuard }): UseHook =>
  async (hook, start, options = {}) => {
    if (!opener.hooks) {
      const opened = await opener.open(options)
      if (opened.kind !== 'done') return opened
    }
    const found = opener.hooks?.[hook]
    if (!found) return { kind: 'missing' }
    return guard.call(options.operation ?? hook, (call) => start(found, call), options)
  }
