/** Which session a call belongs to: the one in the closure, or the one its `configurable` names. */
import type { Hermes, Session, SessionCheckpoint, WiringFailure, WiringMistake } from '@hermes/core'
import type { HermesWarningListener } from './hermes-warning.ts'
import { asRecord } from './loose-values.ts'

/** One session, or a Hermes whose sessions each call names with `configurable: { sessionId }` or `{ thread_id }`. */
export type HermesTarget = Session | Hermes

export const isHermes = (target: HermesTarget): target is Hermes => 'session' in target && typeof target.session === 'function'

/** Throws a TypeError for something that is neither; a programmer's error that is known at construction. */
export const checkTarget = (target: HermesTarget, who: string): HermesTarget => {
  // Plain JavaScript hands over anything; the types forbid it.
  const given: unknown = target
  if (typeof given === 'object' && given !== null && (isHermes(target) || 'systemBlock' in given)) return target
  throw new TypeError(`${who} needs a session (hermes.session('chat-42')) or the Hermes object of createHermes.`)
}

const namedIn = (configurable: unknown): string | undefined => {
  const { sessionId, thread_id: threadId } = asRecord(configurable)
  const id = sessionId ?? threadId
  if (typeof id === 'number') return String(id)
  return typeof id === 'string' && id !== '' ? id : undefined
}

const WITHOUT = 'so it goes without memory'

type Problem = WiringFailure & { readonly mistake: Exclude<WiringMistake, 'other-home'> }

const findSession = (target: HermesTarget, id: string | undefined, checkpoint?: SessionCheckpoint): Session | Problem => {
  if (!isHermes(target)) {
    if (id === undefined || id === target.id) return target
    const message = `This is bound to session '${target.id}', but the call names '${id.slice(0, 80)}', ${WITHOUT}. To choose a session in each call, pass the Hermes object: withHermes(model, hermes), or hermesMiddleware(hermes).`
    return { mistake: 'other-session', message }
  }
  if (id === undefined) {
    const message = `The call names no session, ${WITHOUT}. Pass { configurable: { thread_id } } or { configurable: { sessionId } }.`
    return { mistake: 'missing-session', message }
  }
  try {
    return target.session(id, checkpoint)
  } catch (cause) {
    return { mistake: 'invalid-option', message: `Session '${id.slice(0, 80)}' cannot be opened, ${WITHOUT}.`, cause }
  }
}

/**
 * Undefined where the session is in doubt: then the host is warned, and there is an event. Wiring fails closed (DESIGN 4). `checkpoint`: what the framework
 * kept of the session, for a storage that has lost it.
 */
export const resolveSession = (
  target: HermesTarget,
  configurable: unknown,
  warn: HermesWarningListener,
  checkpoint?: SessionCheckpoint,
): Session | undefined => {
  const found = findSession(target, namedIn(configurable), checkpoint)
  if (!('mistake' in found)) return found
  const { mistake, ...told } = found
  warn({ code: mistake, ...told })
  target.reportWiring(found)
  return undefined
}
