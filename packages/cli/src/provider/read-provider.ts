/** Makes a `MemoryProvider` of what a module exports. */
import { type MemoryProvider, providerFault } from '@hermes/core/provider'

export interface ProviderContext {
  /** Absolute path. */
  readonly home: string
  /** `memory.provider_options` of config.yaml. */
  readonly options: Readonly<Record<string, unknown>>
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A CommonJS module that a compiler made of an ES module has its default export below `default`. */
const defaultOf = (loaded: unknown): unknown => {
  const exported = isObject(loaded) ? Reflect.get(loaded, 'default') : undefined
  return isObject(exported) && Reflect.get(exported, '__esModule') === true ? Reflect.get(exported, 'default') : exported
}

const check = (provider: unknown, what: string): { readonly provider: MemoryProvider } | { readonly problem: string } => {
  const fault = providerFault(provider)
  return fault === undefined ? { provider: provider as MemoryProvider } : { problem: `${what} is no MemoryProvider: ${fault}.` }
}

export const readProvider = async (
  loaded: unknown,
  context: ProviderContext,
): Promise<{ readonly provider: MemoryProvider } | { readonly problem: string }> => {
  const exported = defaultOf(loaded)
  if (exported === undefined) return { problem: 'it has no default export.' }
  if (typeof exported !== 'function') return check(exported, 'its default export')
  let made: unknown
  try {
    made = await exported(context)
  } catch (cause) {
    return { problem: `its default export failed: ${(cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '')}.` }
  }
  return check(made, 'what its default export returned')
}
