/** Which session a call belongs to, for every entry point. Where that is in doubt it is nobody's: wiring fails closed (DESIGN 4). */
import type { Hermes, HermesHomes, Owner, Session, SessionCheckpoint } from '@hermes/core'
import type { WiringFailure } from '@hermes/core/adapter'
import { type HermesCall, namedOwner, namedSession, namedUser } from './hermes-call.ts'
import { baseOf, type HermesTarget, type IdentifiedHomes, isHermes, isHomes, isSession } from './hermes-target.ts'
import type { HermesWarningListener } from './hermes-warning.ts'
import { runsInsideTool } from './inside-tool.ts'
import { asRecord, asText } from './loose-values.ts'

export interface ResolvedSession {
  readonly session: Session
  /** The same text for the same owner only; undefined where the target is one person's, or the host opened the session itself. */
  readonly ownerKey?: string
}

/** What the framework kept of the conversation in state of its own. */
export interface KeptState {
  /** Counts only for the owner it was kept for, and where the storage has lost the session. */
  readonly checkpoint?: SessionCheckpoint | undefined
  readonly ownerKey?: string | undefined
}

const WITHOUT = 'so it goes without memory'

const isProblem = (found: ResolvedSession | WiringFailure): found is WiringFailure => 'mistake' in found

// The object is the person: the first user that a call names is who that is.
const firstUsers = new WeakMap<object, string>()

const otherUser = (target: Session | Hermes, call: HermesCall): WiringFailure | undefined => {
  const user = namedUser(call)
  const first = firstUsers.get(target) ?? user
  if (user === undefined || first === undefined) return undefined
  // A run inside a tool has its user of the run around it, which another person's agent may have begun.
  if (!runsInsideTool(call.configurable)) firstUsers.set(target, first)
  if (user === first) return undefined
  const message = `This is one person's memory, and the call names another 'user_id' than the calls before it, ${WITHOUT}. For many people, pass the homes of createHermesHomes in the place of the Hermes object.`
  return { mistake: 'other-home', message }
}

const ofSession = (session: Session, call: HermesCall): ResolvedSession | WiringFailure => {
  const id = namedSession(call)
  if (id === undefined || id === session.id) return { session }
  const message = `This is bound to session '${session.id}', but the call names '${id.slice(0, 80)}', ${WITHOUT}. To choose a session in each call, pass the Hermes object: withHermes(model, hermes), or hermesMiddleware(hermes).`
  return { mistake: 'other-session', message }
}

const open = (hermes: Hermes, id: string | undefined, checkpoint?: SessionCheckpoint): ResolvedSession | WiringFailure => {
  if (id === undefined) {
    const message = `The call names no session, ${WITHOUT}. Pass { configurable: { thread_id } } or { configurable: { sessionId } }.`
    return { mistake: 'missing-session', message }
  }
  try {
    return { session: hermes.session(id, checkpoint) }
  } catch (cause) {
    return { mistake: 'invalid-option', message: `Session '${id.slice(0, 80)}' cannot be opened, ${WITHOUT}.`, cause }
  }
}

const keyOf = (owner: Owner): string => {
  const { tenant, user } = typeof owner === 'string' ? { user: owner, tenant: undefined } : owner
  return JSON.stringify([tenant ?? null, user])
}

const NAME_ONE =
  'Pass the id of the signed-in user: { configurable: { user_id, thread_id } }, or context: { user_id }, with tenant_id beside it where users belong to tenants. Where your calls name it otherwise, pass { homes, identify }.'

const missingOwner = (problem: string, advice: string, cause?: unknown): WiringFailure => ({
  mistake: 'missing-owner',
  message: `${problem}, ${WITHOUT}. ${advice}`,
  ...(cause === undefined ? {} : { cause }),
})

const ofOwner = (homes: HermesHomes, owner: Owner, id: string | undefined, kept: KeptState): ResolvedSession | WiringFailure => {
  let home: Hermes
  try {
    home = homes.for(owner)
  } catch (cause) {
    return missingOwner('The owner of the call cannot be one', NAME_ONE, cause)
  }
  const ownerKey = keyOf(owner)
  if (kept.ownerKey !== undefined && kept.ownerKey !== ownerKey) {
    const message = `The thread of the call belongs to another owner, whose words stand in it, ${WITHOUT}. Give each owner threads of their own.`
    return { mistake: 'other-home', message }
  }
  const found = open(home, id, kept.ownerKey === ownerKey ? kept.checkpoint : undefined)
  return isProblem(found) ? found : { ...found, ownerKey }
}

const ofHomes = (homes: HermesHomes, call: HermesCall, kept: KeptState): ResolvedSession | WiringFailure => {
  const owner = namedOwner(call)
  return 'problem' in owner ? missingOwner(owner.problem, NAME_ONE) : ofOwner(homes, owner, namedSession(call), kept)
}

const ofIdentified = ({ homes, identify }: IdentifiedHomes, call: HermesCall, kept: KeptState): ResolvedSession | WiringFailure => {
  let answer: unknown
  try {
    answer = identify(call)
  } catch (cause) {
    return { mistake: 'invalid-option', message: `'identify' failed for the call, ${WITHOUT}.`, cause }
  }
  if (isSession(answer)) return { session: answer }
  if (answer === undefined)
    return missingOwner("'identify' names no owner for the call", 'Answer { owner, sessionId }, with the id of the signed-in user.')
  const { owner, sessionId } = asRecord(answer)
  if (owner === undefined || sessionId === undefined) {
    const message = `'identify' answered neither { owner, sessionId } nor a session, ${WITHOUT}. It must answer at once, not with a promise.`
    return { mistake: 'invalid-option', message }
  }
  return ofOwner(homes, owner as Owner, Number.isSafeInteger(sessionId) ? String(sessionId) : asText(sessionId) || undefined, kept)
}

const find = (target: HermesTarget, call: HermesCall, kept: KeptState): ResolvedSession | WiringFailure => {
  if (isHomes(target)) return ofHomes(target, call, kept)
  if ('identify' in target) return ofIdentified(target, call, kept)
  const stranger = otherUser(target, call)
  if (stranger) return stranger
  if (!isHermes(target)) return ofSession(target, call)
  return open(target, namedSession(call), kept.ownerKey === undefined ? kept.checkpoint : undefined)
}

/** Undefined where the session is in doubt: then the host is warned, and there is an event. Without `warn` neither: for a call that is told elsewhere. */
export const resolveSession = (
  target: HermesTarget,
  call: HermesCall,
  warn: HermesWarningListener | undefined,
  kept: KeptState = {},
): ResolvedSession | undefined => {
  const found = find(target, call, kept)
  if (!isProblem(found)) return found
  if (warn !== undefined) {
    const { mistake, ...told } = found
    warn({ code: mistake, ...told })
    baseOf(target).reportWiring(found)
  }
  return undefined
}

/** Tools of these names are offered to the model: those that `hermesTools` made for many sessions count as the session's own. */
export const noteOffered = (target: HermesTarget, session: Session, names: readonly string[]): void => {
  const base = baseOf(target)
  if (!isSession(base)) base.noteOffered(session, names)
}
