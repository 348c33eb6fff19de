/** What an adapter can be given: one conversation, one person, or the homes of many people. */
import type { HermesHomes } from '../create-hermes-homes.ts'
import type { Hermes } from '../hermes.ts'
import type { Session } from '../session/session.ts'
import type { SharedTools } from '../session/shared-tools.ts'

/**
 * - A session: one conversation of one person.
 * - A Hermes: one person. Each call names its session.
 * - Homes: many people. Each call names its owner and its session.
 */
export type HermesTarget = Session | Hermes | HermesHomes

const hasMethod = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'

// Detected by their methods, since another copy of core may have created them, and JavaScript callers may pass anything.
export const isSession = (value: unknown): value is Session => hasMethod(value, 'systemBlock')

export const isHermes = (value: unknown): value is Hermes => hasMethod(value, 'session')

export const isHomes = (value: unknown): value is HermesHomes => hasMethod(value, 'for')

/** The target's shared tools; undefined for a session. */
export const sharedTarget = (target: HermesTarget): SharedTools | undefined => (isSession(target) ? undefined : target)

/** Throws a TypeError for anything else that JavaScript callers pass. `caller`: the function that was called. */
export const checkTarget = (caller: string, target: unknown, hint = ''): void => {
  if (isSession(target) || isHermes(target) || isHomes(target)) return
  throw new TypeError(
    `${caller} needs a session, a Hermes (createHermes) or the homes of many people (createHermesHomes). A session is hermes.session('chat-42').${hint}`,
  )
}
