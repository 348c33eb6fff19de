/** What an entry point accepts: one session, the Hermes of one owner, or the homes of many. */
import type { HermesHomes, Owner, Session } from '@hermes/core'
import { asRecord, type HermesTarget as BareTarget, checkTarget as checkBareTarget, isHomes } from '@hermes/core/adapter'
import type { HermesCall } from './hermes-call.ts'

/** The owner and session of a call: an owner with a session id and perhaps its project, or a session of these homes. */
export type IdentifiedCall = Session | { readonly owner: Owner; readonly sessionId: string | number; readonly project?: string }

/** Homes with a function that finds owner and session of a call, if they are not in `user_id`, `tenant_id` and `thread_id`. */
export interface IdentifiedHomes {
  readonly homes: HermesHomes
  /** Called for each call. If it throws or returns anything else, such as a promise or undefined, the call runs without memory. */
  readonly identify: (call: HermesCall) => IdentifiedCall | undefined
}

/**
 * Accepted by every adapter. A call names its session in `configurable.sessionId` or `configurable.thread_id`, and for homes its owner in
 * `configurable` or `context`: `user_id`, and `tenant_id` if users belong to tenants; `hermes_project` names the project of the session. Alternatively homes and `identify`, the host's own
 * function.
 */
export type HermesTarget = BareTarget | IdentifiedHomes

/** The object inside a target: it provides the tools and receives reports of misconfiguration. */
export const baseOf = (target: HermesTarget): BareTarget => ('identify' in target ? target.homes : target)

/** Whether the target serves many owners, so that each call must name its owner. */
export const servesMany = (target: HermesTarget): boolean => isHomes(baseOf(target))

/** Throws a TypeError for anything that is not a target. */
export const checkTarget = (caller: string, target: HermesTarget): HermesTarget => {
  // The types forbid other values, but plain JavaScript may pass them.
  const given: unknown = target
  const { homes, identify } = asRecord(given)
  const hint = typeof given === 'function' ? ' A function is passed with the homes: { homes, identify }.' : ''
  if (!(typeof identify === 'function' && isHomes(homes))) checkBareTarget(caller, given, hint)
  return target
}
