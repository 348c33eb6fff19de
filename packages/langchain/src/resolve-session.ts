/** Finds the session of a call, for every entry point. A call whose session is in doubt runs without memory. */
import type { Hermes, HermesHomes, Session, SessionCheckpoint } from '@hermes/core'
import type { WiringFailure } from '@hermes/core/adapter'
import {
  asRecord,
  asText,
  type FoundSession,
  findSession,
  type HermesWarningListener,
  isFailure,
  isHomes,
  isSession,
  tellFailure,
  toJson,
  WITHOUT_MEMORY,
  type WiringAdvice,
} from '@hermes/core/adapter'
import { type HermesCall, namedOwner, namedProject, namedSession, namedUser } from './hermes-call.ts'
import { baseOf, type HermesTarget, type IdentifiedHomes } from './hermes-target.ts'
import { runsInsideTool } from './inside-tool.ts'

export interface ResolvedSession extends FoundSession {
  /** Identifies the owner; undefined if the target has a single owner, or if the host opened the session itself. */
  readonly ownerKey?: string
}

/** What the framework stored about the conversation in its own state. */
export interface KeptState {
  /** Used only for the owner it was stored for, and only if the storage lost the session. */
  readonly checkpoint?: SessionCheckpoint | undefined
  readonly ownerKey?: string | undefined
}

const NAME_ONE =
  'Pass the id of the signed-in user: { configurable: { user_id, thread_id } }, or context: { user_id }, with tenant_id if users belong to tenants. If your calls use other names, pass { homes, identify }.'

const NAME_SESSION = 'Pass { configurable: { thread_id } } or { configurable: { sessionId } }.'

const ADVICE: WiringAdvice = {
  owner: NAME_ONE,
  session: NAME_SESSION,
  ownedSession: NAME_SESSION,
  manySessions: 'To choose a session in each call, pass the Hermes object: withHermes(model, hermes), or hermesMiddleware(hermes).',
  manyPeople: 'For many people, pass the homes of createHermesHomes instead of the Hermes object.',
}

// The first user that a call names is taken as the owner of the object.
const firstUsers = new WeakMap<object, string>()

const otherUser = (target: Session | Hermes, call: HermesCall): WiringFailure | undefined => {
  const user = namedUser(call)
  const first = firstUsers.get(target) ?? user
  if (user === undefined || first === undefined) return undefined
  // A run inside a tool inherits its user from the surrounding run, which another user's agent may have started.
  if (!runsInsideTool(call.configurable)) firstUsers.set(target, first)
  if (user === first) return undefined
  const message = `This is one person's memory, but the call names another 'user_id' than the calls before it, ${WITHOUT_MEMORY}. ${ADVICE.manyPeople}`
  return { mistake: 'other-home', message }
}

/** `owner`: unchecked. */
const keyOf = (owner: unknown): string => {
  const { tenant, user } = typeof owner === 'string' ? { user: owner, tenant: undefined } : asRecord(owner)
  return toJson([tenant ?? null, user])
}

const missingOwner = (problem: string, advice: string): WiringFailure => ({
  mistake: 'missing-owner',
  message: `${problem}, ${WITHOUT_MEMORY}. ${advice}`,
})

const ofOwner = (
  homes: HermesHomes,
  { owner, sessionId, project }: { readonly owner: unknown; readonly sessionId: string | undefined; readonly project: unknown },
  kept: KeptState,
): ResolvedSession | WiringFailure => {
  const ownerKey = keyOf(owner)
  const { checkpoint } = kept.ownerKey === ownerKey ? kept : {}
  const found = findSession(homes, { owner, sessionId, project, checkpoint }, ADVICE)
  if (isFailure(found)) return found
  if (kept.ownerKey === undefined || kept.ownerKey === ownerKey) return { ...found, ownerKey }
  const message = `The thread of the call contains words of another owner, ${WITHOUT_MEMORY}. Use separate threads for each owner.`
  return { mistake: 'other-home', message }
}

const ofHomes = (homes: HermesHomes, call: HermesCall, kept: KeptState): ResolvedSession | WiringFailure => {
  const owner = namedOwner(call)
  return 'problem' in owner
    ? missingOwner(owner.problem, NAME_ONE)
    : ofOwner(homes, { owner, sessionId: namedSession(call), project: namedProject(call) }, kept)
}

const ofIdentified = ({ homes, identify }: IdentifiedHomes, call: HermesCall, kept: KeptState): ResolvedSession | WiringFailure => {
  let answer: unknown
  try {
    answer = identify(call)
  } catch (cause) {
    return { mistake: 'invalid-option', message: `'identify' failed for the call, ${WITHOUT_MEMORY}.`, cause }
  }
  if (isSession(answer)) return { session: answer, offering: [homes] }
  if (answer === undefined)
    return missingOwner("'identify' names no owner for the call", 'Return { owner, sessionId }, with the id of the signed-in user.')
  const { owner, sessionId, project = namedProject(call) } = asRecord(answer)
  if (owner === undefined || sessionId === undefined) {
    const message = `'identify' returned neither { owner, sessionId } nor a session, ${WITHOUT_MEMORY}. It must not return a promise.`
    return { mistake: 'invalid-option', message }
  }
  const id = Number.isSafeInteger(sessionId) ? String(sessionId) : asText(sessionId) || undefined
  return ofOwner(homes, { owner, sessionId: id, project }, kept)
}

const find = (target: HermesTarget, call: HermesCall, kept: KeptState): ResolvedSession | WiringFailure => {
  if (isHomes(target)) return ofHomes(target, call, kept)
  if ('identify' in target) return ofIdentified(target, call, kept)
  const stranger = otherUser(target, call)
  if (stranger) return stranger
  const { checkpoint } = kept.ownerKey === undefined ? kept : {}
  return findSession(target, { sessionId: namedSession(call), project: namedProject(call), checkpoint }, ADVICE)
}

/**
 * Undefined if the session is in doubt; the host then gets a warning and an event. Without `warn` it gets neither, for calls that are
 * reported elsewhere.
 */
export const resolveSession = (
  target: HermesTarget,
  call: HermesCall,
  warn: HermesWarningListener | undefined,
  kept: KeptState = {},
): ResolvedSession | undefined => {
  const found = find(target, call, kept)
  if (!isFailure(found)) return found
  if (warn !== undefined) tellFailure(baseOf(target), found, warn)
  return undefined
}
