/** Whose call it is: the session in the closure, or the one that its options name. Wiring fails closed (DESIGN 4): in doubt, nobody's. */
import type { Hermes, HermesHomes, Owner, Session } from '@hermes/core'
import type { SharedTools, WiringFailure, WiringMistake } from '@hermes/core/adapter'
import { type ReadCallOptions, readCallOptions } from './hermes-call-options.ts'
import type { HermesWarningListener } from './hermes-warning.ts'

/**
 * One session; the Hermes of one person, whose session each call names; or the homes of many people, whose owner and session each call names, all in
 * `providerOptions.hermes`.
 */
export type HermesTarget = Session | Hermes | HermesHomes

const isHomes = (target: HermesTarget): target is HermesHomes => 'for' in target && typeof target.for === 'function'
const isHermes = (target: HermesTarget): target is Hermes => 'session' in target && typeof target.session === 'function'

/** What serves more sessions than one; undefined for a session. */
export const sharedTarget = (target: HermesTarget): SharedTools | undefined => (isHomes(target) || isHermes(target) ? target : undefined)

/** Throws a TypeError for what JavaScript callers pass in spite of the type. */
export const checkTarget = (caller: string, target: HermesTarget): void => {
  const given: unknown = target
  if (typeof given === 'object' && given !== null && (sharedTarget(target) || 'systemBlock' in given)) return
  throw new TypeError(`${caller} needs a session, a Hermes (createHermes) or the homes of many people (createHermesHomes).`)
}

export interface FoundSession {
  readonly session: Session
  /** Those whose tools the call may offer for this session, besides its own. */
  readonly offering: readonly SharedTools[]
}

type Problem = WiringFailure & { readonly mistake: Exclude<WiringMistake, 'other-home'> }

const WITHOUT = 'so the call goes out without memory'

const otherSession = (own: string, named: string): Problem => ({
  mistake: 'other-session',
  message: `This model is wrapped for session '${own}', but the call names '${named.slice(0, 80)}', ${WITHOUT}. To choose a session in each call, wrap with the Hermes object: hermesMiddleware(hermes).`,
})

const ONE_PERSONS: Problem = {
  mistake: 'invalid-option',
  message: `The call names a user, but its model is wrapped for one person, ${WITHOUT}. To serve many people, wrap with their homes: hermesMiddleware(createHermesHomes({ storage })). For one person, leave user and tenant out.`,
}

const NO_OWNER: Problem = {
  mistake: 'missing-owner',
  message: `The call names no user, and its model serves many people, ${WITHOUT}. Pass providerOptions: { hermes: { user, sessionId } }, with the id of the signed-in user, or { hermes: { skip: true } } for a side call.`,
}

const missingSession = (keys: string): Problem => ({
  mistake: 'missing-session',
  message: `The call names no session, ${WITHOUT}. Pass providerOptions: { hermes: { ${keys} } }, or { hermes: { skip: true } } for a side call.`,
})

const openSession = (hermes: Hermes, sessionId: string, offering: readonly SharedTools[]): FoundSession | Problem => {
  try {
    return { session: hermes.session(sessionId), offering }
  } catch (cause) {
    return { mistake: 'invalid-option', message: `Session '${sessionId.slice(0, 80)}' cannot be opened, ${WITHOUT}.`, cause }
  }
}

const findInHomes = (homes: HermesHomes, { owner, sessionId }: ReadCallOptions): FoundSession | Problem => {
  if (owner === undefined) return NO_OWNER
  if (sessionId === undefined) return missingSession('user, sessionId')
  try {
    // Unchecked: what can be no owner, `for` refuses.
    const hermes = homes.for(owner as Owner)
    return openSession(hermes, sessionId, [homes, hermes])
  } catch (cause) {
    return { mistake: 'missing-owner', message: `The call's user or tenant can be no owner, ${WITHOUT}. Pass the ids as strings.`, cause }
  }
}

const findSession = (target: HermesTarget, options: ReadCallOptions): FoundSession | Problem => {
  if (options.problem !== undefined) return { mistake: 'invalid-option', message: `${options.problem}, ${WITHOUT}.` }
  if (isHomes(target)) return findInHomes(target, options)
  if (options.owner !== undefined) return ONE_PERSONS
  const { sessionId } = options
  if (isHermes(target)) return sessionId === undefined ? missingSession('sessionId') : openSession(target, sessionId, [target])
  return sessionId === undefined || sessionId === target.id ? { session: target, offering: [] } : otherSession(target.id, sessionId)
}

/** Undefined where the call is to pass untouched: it asks for that, or whose it is is in doubt (then the host is warned, and there is an event). */
export const resolveSession = (target: HermesTarget, providerOptions: unknown, warn: HermesWarningListener): FoundSession | undefined => {
  const options = readCallOptions(providerOptions)
  if (options.skip && options.problem === undefined) return undefined
  const found = findSession(target, options)
  if (!('mistake' in found)) return found
  const { mistake, ...told } = found
  warn({ code: mistake, ...told })
  target.reportWiring(found)
  return undefined
}
