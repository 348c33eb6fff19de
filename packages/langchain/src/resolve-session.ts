/** Which session a call belongs to: the one in the closure, or the one its `configurable` names. */
import type { Hermes, Session, SessionCheckpoint } from '@hermes/core'
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

/**
 * Undefined where no session can be found (then the host is warned). `checkpoint`: what the framework kept of the session, for a storage that has lost it.
 * Never throws.
 */
export const resolveSession = (
  target: HermesTarget,
  configurable: unknown,
  warn: HermesWarningListener,
  checkpoint?: SessionCheckpoint,
): Session | undefined => {
  const id = namedIn(configurable)
  if (!isHermes(target)) {
    if (id !== undefined && id !== target.id) {
      const message = `This is bound to session '${target.id}', but a call names '${id.slice(0, 80)}'. Pass the Hermes object instead of the session to choose one per call; the call stays with '${target.id}'.`
      warn({ code: 'other-session', message })
    }
    return target
  }
  if (id === undefined) {
    const message =
      'A call names no session, so it goes out without memory. Pass { configurable: { thread_id } } or { configurable: { sessionId } }.'
    warn({ code: 'missing-session', message })
    return undefined
  }
  try {
    return target.session(id, checkpoint)
  } catch (cause) {
    warn({ code: 'invalid-option', message: `Session '${id.slice(0, 80)}' cannot be opened, so the call goes out without memory.`, cause })
    return undefined
  }
}
