/**
 * Finds the session of a model call, for every adapter, in what the adapter was given: one conversation, one person, or the homes of many people. If it is
 * ambiguous, there is none: wiring fails closed.
 */
import type { HermesHomes } from '../create-hermes-homes.ts'
import type { Hermes } from '../hermes.ts'
import type { Owner } from '../homes/owner.ts'
import type { WiringFailure } from '../session/hermes-event.ts'
import type { Session, SessionCheckpoint } from '../session/session.ts'
import type { SharedTools } from '../session/tool-calls.ts'
import type { HermesWarningListener } from './hermes-warning.ts'

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

const isHermes = (value: unknown): value is Hermes => hasMethod(value, 'session')

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

/** What a call states about itself. */
interface CallIdentity {
  /** Unchecked: an invalid owner is refused, and so is any owner if there are no homes. */
  readonly owner?: unknown
  readonly sessionId?: string | undefined
  /** The project of the session; unchecked. */
  readonly project?: unknown
  /** The framework's copy of the session, for a storage that has lost it. */
  readonly checkpoint?: SessionCheckpoint | undefined
}

/** Sentences that tell the host what to write in its framework; each is appended to the one that describes the problem. */
export interface WiringAdvice {
  /** How a call names its owner. */
  readonly owner: string
  /** How a call names its session, for one person and for homes. */
  readonly session: string
  readonly ownedSession: string
  /** How to make an adapter that is bound to one session serve several. */
  readonly manySessions: string
  /** How to make an adapter of one person serve many. */
  readonly manyPeople: string
}

export interface FoundSession {
  readonly session: Session
  /** Shared tools that the call may offer for this session, besides its own. */
  readonly offering: readonly SharedTools[]
}

export const isFailure = (found: object): found is WiringFailure => 'mistake' in found

/** For the middle of a message: the result of a call whose session is ambiguous. */
export const WITHOUT_MEMORY = 'so it is made without memory'

const openSession = (
  hermes: Hermes,
  { sessionId, project, checkpoint }: CallIdentity,
  advice: string,
  offering: readonly SharedTools[],
): FoundSession | WiringFailure => {
  if (sessionId === undefined) return { mistake: 'missing-session', message: `The call names no session, ${WITHOUT_MEMORY}. ${advice}` }
  try {
    return { session: hermes.session(sessionId, { project: project as string | undefined, checkpoint }), offering }
  } catch (cause) {
    const why = cause instanceof TypeError && project !== undefined ? ` ${cause.message}` : ''
    const message = `Session '${sessionId.slice(0, 80)}' cannot be opened, ${WITHOUT_MEMORY}.${why}`
    return { mistake: 'invalid-option', message, cause }
  }
}

const findInHomes = (homes: HermesHomes, call: CallIdentity, advice: WiringAdvice): FoundSession | WiringFailure => {
  if (call.owner === undefined) return { mistake: 'missing-owner', message: `The call names no user, ${WITHOUT_MEMORY}. ${advice.owner}` }
  let hermes: Hermes
  try {
    hermes = homes.for(call.owner as Owner)
  } catch (cause) {
    const message = `The user or tenant that the call names cannot be an owner, ${WITHOUT_MEMORY}. Pass the ids as strings. ${advice.owner}`
    return { mistake: 'missing-owner', message, cause }
  }
  return openSession(hermes, call, advice.ownedSession, [homes, hermes])
}

/** Never throws. */
export const findSession = (target: HermesTarget, call: CallIdentity, advice: WiringAdvice): FoundSession | WiringFailure => {
  if (isHomes(target)) return findInHomes(target, call, advice)
  if (call.owner !== undefined) {
    const message = `The call names a user, but this is one person's memory, ${WITHOUT_MEMORY}. ${advice.manyPeople}`
    return { mistake: 'invalid-option', message }
  }
  if (isHermes(target)) return openSession(target, call, advice.session, [target])
  const { sessionId, project } = call
  if (project !== undefined) {
    const message = `The call names a project, but this is bound to session '${target.id}', ${WITHOUT_MEMORY}. Name the project where the session is opened: hermes.session(id, { project }).`
    return { mistake: 'invalid-option', message }
  }
  if (sessionId === undefined || sessionId === target.id) return { session: target, offering: [] }
  const named = `This is bound to session '${target.id}', but the call names '${sessionId.slice(0, 80)}'`
  return { mistake: 'other-session', message: `${named}, ${WITHOUT_MEMORY}. ${advice.manySessions}` }
}

/** Reports a call without a session: a warning for the host, and an event. */
export const tellFailure = (target: HermesTarget, failure: WiringFailure, warn: HermesWarningListener): void => {
  const { mistake, ...told } = failure
  warn({ code: mistake, ...told })
  target.reportWiring(failure)
}
