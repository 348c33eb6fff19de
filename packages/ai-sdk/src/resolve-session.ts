/** Which session a call belongs to: the one in the closure, or the one its options name. Wiring fails closed (DESIGN 4): in doubt, nobody's. */
import type { Hermes, Session, WiringFailure, WiringMistake } from '@hermes/core'
import { readCallOptions } from './hermes-call-options.ts'
import type { HermesWarningListener } from './hermes-warning.ts'

/** One session, or a Hermes whose sessions each call names with `providerOptions.hermes.sessionId`. */
export type HermesTarget = Session | Hermes

const isHermes = (target: HermesTarget): target is Hermes => 'session' in target && typeof target.session === 'function'

const WITHOUT = 'so the call goes out without memory'

type Problem = WiringFailure & { readonly mistake: Exclude<WiringMistake, 'other-home'> }

const findSession = (target: HermesTarget, sessionId: string | undefined): Session | Problem => {
  if (!isHermes(target)) {
    if (sessionId === undefined || sessionId === target.id) return target
    const message = `This model is wrapped for session '${target.id}', but the call names '${sessionId.slice(0, 80)}', ${WITHOUT}. To choose a session in each call, wrap with the Hermes object: hermesMiddleware(hermes).`
    return { mistake: 'other-session', message }
  }
  if (sessionId === undefined) {
    const message = `The call names no session, ${WITHOUT}. Pass providerOptions: { hermes: { sessionId } }, or { hermes: { skip: true } } for a side call.`
    return { mistake: 'missing-session', message }
  }
  try {
    return target.session(sessionId)
  } catch (cause) {
    return { mistake: 'invalid-option', message: `Session '${sessionId.slice(0, 80)}' cannot be opened, ${WITHOUT}.`, cause }
  }
}

/** Undefined where the call is to pass untouched: it asks for that, or its session is in doubt (then the host is warned, and there is an event). */
export const resolveSession = (target: HermesTarget, providerOptions: unknown, warn: HermesWarningListener): Session | undefined => {
  const { sessionId, skip, problem } = readCallOptions(providerOptions)
  if (skip && problem === undefined) return undefined
  const found: Session | Problem =
    problem === undefined ? findSession(target, sessionId) : { mistake: 'invalid-option', message: `${problem}, ${WITHOUT}.` }
  if (!('mistake' in found)) return found
  const { mistake, ...told } = found
  warn({ code: mistake, ...told })
  target.reportWiring(found)
  return undefined
}
