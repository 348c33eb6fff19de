/** What an entry point can be given: one conversation, one person, or the homes of many people. */
import type { Hermes, HermesHomes, Owner, Session } from '@hermes/core'
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
 * - A session: one conversation of one person.
 * - A Hermes: one person. The call names its session in `configurable.sessionId` or `configurable.thread_id`.
 * - Homes: many people. The call names its owner too, in `configurable` or `context`: `user_id`, and `tenant_id` where users belong to tenants.
 * - Homes and `identify`: many people, told from the call by the host's own code.
 */
export type HermesTarget = Session | Hermes | HermesHomes | IdentifiedHomes

const hasMethod = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'

export const isSession = (value: unknown): value is Session => hasMethod(value, 'systemBlock')

export const isHermes = (value: unknown): value is Hermes => hasMethod(value, 'session')

export const isHomes = (value: unknown): value is HermesHomes => hasMethod(value, 'for')

const isIdentified = (value: unknown): value is IdentifiedHomes =>
  hasMethod(value, 'identify') && isHomes(Reflect.get(Object(value), 'homes'))

/** The object behind a target: it lends the tools and takes the reports of wrong wiring. */
export const baseOf = (target: HermesTarget): Session | Hermes | HermesHomes => ('identify' in target ? target.homes : target)

/** Many people's, so that each call names its owner. */
export const servesMany = (target: HermesTarget): boolean => isHomes(baseOf(target))

/** Throws a TypeError for anything else; a programmer's error that is known at construction. */
export const checkTarget = (target: HermesTarget, who: string): HermesTarget => {
  // Plain JavaScript hands over anything; the types forbid it.
  const given: unknown = target
  if (isSession(given) || isHermes(given) || isHomes(given) || isIdentified(given)) return target
  const hint = typeof given === 'function' ? ' A function goes beside the homes: { homes, identify }.' : ''
  throw new TypeError(
    `${who} needs a session (hermes.session('chat-42')), the Hermes object of createHermes, or, for many people, the homes of createHermesHomes.${hint}`,
  )
}
