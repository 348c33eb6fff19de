/** What a home's memory provider did, or failed to do, behind the turn. */
import type { HermesError } from '../shared/hermes-error.ts'

/** `provider`: its name. */
export type ProviderEvent = ProviderHappening & { readonly at: number; readonly provider: string }

type ProviderHappening =
  /**
   * A hook failed, took too long or returned something unusable; the work continued without it. `operation`: the name of the hook; `tool:` with the name of a tool;
   * `report` for what the provider reported itself; `outbox` if what waits for delivery could not be read or stored.
   */
  | { readonly type: 'provider-failed'; readonly operation: string; readonly error: HermesError }
  /** A hook took too long, or three in a row failed: until `until` (epoch milliseconds) the provider is not called. Then it is tried again by itself. `error`: the last one. */
  | { readonly type: 'provider-paused'; readonly until: number; readonly error: HermesError }
  /** The first call after a pause succeeded. */
  | { readonly type: 'provider-resumed' }
  /** More waited for delivery than is kept, or the provider refused it. `items`: number of the oldest ones that are lost. */
  | { readonly type: 'provider-dropped'; readonly items: number }
  /** The provider was asked for a turn. `texts`: number of texts that the turn is shown; `chars`: their length; `ms`: how long the turn waited. */
  | { readonly type: 'recalled'; readonly sessionId: string; readonly texts: number; readonly chars: number; readonly ms: number }
