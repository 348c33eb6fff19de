/** Finds the session of a call: the one that was wrapped, or the one that the call's options name. */
import type { WiringFailure } from '@hermes/core/adapter'
import {
  type FoundSession,
  findSession,
  type HermesTarget,
  type HermesWarningListener,
  isFailure,
  tellFailure,
  WITHOUT_MEMORY,
  type WiringAdvice,
} from '@hermes/core/adapter'
import { readCallOptions } from './hermes-call-options.ts'

const nameIn = (keys: string): string => `Pass providerOptions: { hermes: { ${keys} } }, or { hermes: { skip: true } } for a side call.`

const ADVICE: WiringAdvice = {
  owner: `${nameIn('user, sessionId')} The user is the id of the signed-in user.`,
  session: nameIn('sessionId'),
  ownedSession: nameIn('user, sessionId'),
  manySessions: 'To choose a session in each call, wrap with the Hermes object: hermesMiddleware(hermes).',
  manyPeople:
    'To serve many people, wrap with their homes: hermesMiddleware(createHermesHomes({ storage })). For one person, omit user and tenant.',
}

/**
 * Undefined if the call is to pass unchanged: it asks for that, or its owner or session is not clear (then the host gets a warning and an
 * event).
 */
export const resolveSession = (target: HermesTarget, providerOptions: unknown, warn: HermesWarningListener): FoundSession | undefined => {
  const options = readCallOptions(providerOptions)
  const { skip, problem } = options
  if (skip && problem === undefined) return undefined
  const unreadable: WiringFailure | undefined =
    problem === undefined ? undefined : { mistake: 'invalid-option', message: `${problem}, ${WITHOUT_MEMORY}.` }
  const found = unreadable ?? findSession(target, options, ADVICE)
  if (!isFailure(found)) return found
  tellFailure(target, found, warn)
  return undefined
}
