/** What an entry point can be given: one conversation, one person, or the homes of many people. */
import type { HermesHomes, Owner, Session } from '@hermes/core'
import { asRecord, type HermesTarget as BareTarget, checkTarget as checkBareTarget, isHomes } from '@hermes/core/adapter'
import type { HermesCall } from './hermes-call.ts'

/** Whose call it is: an owner and a session id, or a session of these homes. */
export type IdentifiedCall = Session | { readonly owner: Owner; readonly sessionId: string | number }

/** Homes, and how a call is told whose it is where `user_id`, `tenant_id` and `thread_id` do not say so. */
export interface IdentifiedHomes {
  readonly homes: HermesHomes
  /** Called for each call. A call goes without memory where this throws or answers anything else, a promise or undefined included. */
  readonly identify: (call: HermesCall) => IdentifiedCall | undefined
}

/**
 * What every adapter takes, where a call names its session in `configurable.sessionId` or `configurable.thread_id`, and for homes its owner in `configurable` or
 * `context`: `user_id`, and `tenant_id` where users belong to tenants. Or homes and `identify`: many people, told from the call by the host's own code.
 */
export type HermesTarget = BareTarget | IdentifiedHomes

/** The object behind a target: it lends the tools and takes the reports of wrong wiring. */
export const baseOf = (target: HermesTarget): BareTarget => ('identify' in target ? target.homes : target)

/** Many people's, so that each call names its owner. */
export const servesMany = (target: HermesTarget): boolean => isHomes(baseOf(target))

/** Throws a TypeError for anything else; a programmer's error that is known at construction. */
export const checkTarget = (caller: string, target: HermesTarget): HermesTarget => {
  // Plain JavaScript hands over anything; the types forbid it.
  const given: unknown = target
  const { homes, identify } = asRecord(given)
  const hint = typeof given === 'function' ? ' A function goes beside the homes: { homes, identify }.' : ''
  if (!(typeof identify === 'function' && isHomes(homes))) checkBareTarget(caller, given, hint)
  return target
}
