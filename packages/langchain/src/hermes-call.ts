/** Reads the owner and the session of a call from LangChain's configuration. */

import { asRecord, asText } from '@hermes/core/adapter'
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons'

/** A call as passed to `identify`, the same for models, tools and agents. */
export interface HermesCall {
  /** Empty if the call has none. */
  readonly configurable: Readonly<Record<string, unknown>>
  /** The `context` that the host passed, unchecked. */
  readonly context: unknown
}

/** What a LangGraph server with custom auth sets in every run, whatever its client sends: who is signed in. */
const SIGN_IN = ['langgraph_auth_user', 'langgraph_auth_user_id'] as const

/**
 * Parts that are missing in the call's configuration come from the surrounding run, which LangChain keeps in its async context. Its sign-in
 * counts in any case, since a node may pass on only some of its configuration, or one that a client sent. `config` may be anything: legacy
 * chains pass a callback manager instead of a configuration.
 */
export const callOf = (config: unknown): HermesCall => {
  const own = asRecord(config)
  const around = asRecord(AsyncLocalStorageProviderSingleton.getRunnableConfig())
  const outer = asRecord(around['configurable'])
  const signIn = SIGN_IN.flatMap((key) => (outer[key] === undefined ? [] : [[key, outer[key]]]))
  return {
    configurable: { ...asRecord(own['configurable'] ?? outer), ...Object.fromEntries(signIn) },
    context: own['context'] ?? around['context'],
  }
}

/** Whether the host says that no person is there: `configurable: { automated: true }`. */
export const isAutomated = (configurable: Readonly<Record<string, unknown>> | undefined): boolean | undefined =>
  configurable?.['automated'] === true ? true : undefined

export const namedSession = ({ configurable }: HermesCall): string | undefined => {
  const { sessionId, thread_id: threadId } = configurable
  const id = sessionId ?? threadId
  if (typeof id === 'number') return String(id)
  return asText(id) || undefined
}

/** The project of the session: `configurable: { hermes_project }`, or the same in the context. Unchecked. */
export const namedProject = ({ configurable, context }: HermesCall): unknown =>
  configurable['hermes_project'] ?? asRecord(context)['hermes_project'] ?? undefined

/** A string, or an integer as a string; undefined for anything that cannot be an id. */
const idOf = (value: unknown): string | undefined => (Number.isSafeInteger(value) ? String(value) : asText(value) || undefined)

/** The owner of the sign-in; undefined if there is none, which a server in Python without custom auth says with `null` and `''`. */
const signedIn = ({ configurable }: HermesCall): Readonly<Record<'user_id' | 'tenant_id', unknown>> | undefined => {
  const [user, id] = SIGN_IN.map((key) => configurable[key])
  if ((user ?? undefined) === undefined && (id ?? '') === '') return undefined
  const { identity, tenant_id } = asRecord(user)
  return { user_id: identity ?? id, tenant_id }
}

type Named = { readonly id: string | undefined } | { readonly problem: string }

const readId = (call: HermesCall, key: 'user_id' | 'tenant_id'): Named => {
  const given = [call.configurable[key], asRecord(call.context)[key]].filter((value) => value !== undefined)
  const ids = given.map(idOf)
  if (ids.includes(undefined)) return { problem: `The '${key}' of the call is neither a string nor a whole number` }
  const auth = signedIn(call)
  if (auth) {
    const id = idOf(auth[key])
    const isOther = ids.some((named) => named !== id)
    return isOther ? { problem: `The call has another '${key}' than the user who is signed in ('langgraph_auth_user')` } : { id }
  }
  if (new Set(ids).size > 1) return { problem: `The call has one '${key}' in its configurable and another one in its context` }
  return { id: ids[0] }
}

export interface NamedOwner {
  readonly tenant?: string
  readonly user: string
}

/** `problem`: why no owner could be determined, as a sentence without its full stop. */
export const namedOwner = (call: HermesCall): NamedOwner | { readonly problem: string } => {
  const user = readId(call, 'user_id')
  const tenant = readId(call, 'tenant_id')
  if ('problem' in user) return user
  if ('problem' in tenant) return tenant
  if (user.id === undefined) return { problem: 'The call names no owner' }
  return tenant.id === undefined ? { user: user.id } : { tenant: tenant.id, user: user.id }
}

/** For targets with a single owner, whose hosts may use the key for other purposes: invalid ids are ignored. */
export const namedUser = (call: HermesCall): string | undefined =>
  idOf(signedIn(call)?.user_id) ?? idOf(call.configurable['user_id']) ?? idOf(asRecord(call.context)['user_id'])
