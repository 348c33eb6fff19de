/** What `providerConformance` needs of a memory provider. */
import type { MemoryProvider } from '@hermes/core/provider'

export interface ProviderHarness {
  /** Without anything stored. */
  readonly provider: MemoryProvider
  /** Removes what the test stored. Called after the provider was shut down for all homes. */
  dispose?(): Promise<void>
}

/** What a provider does. Each capability is expected unless it is set to false. */
export interface ProviderCapabilities {
  /** `prefetch` finds what was said in another session. Set it to false if only tools do. */
  readonly recalls?: boolean
  /** `forget` erases. Without it, a receipt names the provider as remaining. */
  readonly forgets?: boolean
  /** Serves homes of many owners. */
  readonly owners?: boolean
  /** What was stored is found after a shutdown. */
  readonly persists?: boolean
  /** Milliseconds until what was stored is found, and what was erased is not. Default 0; for services that work in the background. */
  readonly findsWithinMs?: number
  /** Milliseconds for each hook. Default 5,000. */
  readonly timeoutMs?: number
}

export type CreateProviderHarness = () => ProviderHarness | Promise<ProviderHarness>
