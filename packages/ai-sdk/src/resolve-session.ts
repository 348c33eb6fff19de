/** Which session a call belongs to: the one in the closure, or the one its options name. */
import type { Hermes, Session } from '@hermes/core'
import { readCallOptions } from './hermes-call-options.ts'
import type { HermesWarningListener } from './hermes-warning.ts'

/** One session, or a Hermes whose sessions each call names with `providerOptions.hermes.sessionId`. */
export type HermesTarget = Session | Hermes

const isHermes = (target: HermesTarget): target is Hermes => 'session' in target && typeof target.session === 'function'

/** Undefined where the call is to pass untouched: it asks for that, or no session can be found (then the host is warned). Never throws. */
export const resolveSession = (target: HermesTarget, providerOptions: unknown, warn: HermesWarningListener): Session | undefined => {
  const { sessionId, skip, problem } = readCallOptions(providerOptions)
  if (problem !== undefined) warn({ code: 'invalid-option', message: `${problem}. It is ignored; see HermesCallOptions.` })
  if (skip) return undefined
  if (!isHermes(target)) {
    if (sessionId !== undefined && sessionId !== target.id) {
      const message = `This model is wrapped for session '${target.id}', but a call names '${sessionId}'. Wrap with the Hermes object instead of the session to choose one per call; the call stays with '${target.id}'.`
      warn({ code: 'other-session', message })
    }
    return target
  }
  if (sessionId === undefined) {
    const message =
      'A call names no session, so it goes out without memory. Pass providerOptions: { hermes: { sessionId } }, or { hermes: { skip: true } } for a side call.'
    warn({ code: 'missing-session', message })
    return undefined
  }
  try {
    return target.session(sessionId)
  } catch (cause) {
    warn({
      code: 'invalid-option',
      message: `Session '${sessionId.slice(0, 80)}' cannot be opened, so the call goes out without memory.`,
      cause,
    })
    return undefined
  }
}
