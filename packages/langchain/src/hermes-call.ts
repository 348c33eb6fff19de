/** What a call says of itself in LangChain's configuration: whose it is, and which conversation it belongs to. */

import { asRecord, asText } from '@hermes/core/adapter'
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons'

/** A call as `identify` sees it, the same for models, tools and agents. */
export interface HermesCall {
  /** Empty where the call has none. */
  readonly configurable: Readonly<Record<string, unknown>>
  /** What the host passed as `context`, in whatever form. */
  readonly context: unknown
}

/**
 * Each part that the call itself does not have is taken from the run around it, which LangChain keeps in its async context. `config` may be anything:
 * legacy chains hand over a callback manager in a configuration's place.
 */
export const callOf = (config: unknown): HermesCall => {
  const own = asRecord(config)
  const around = asRecord(AsyncLocalStorageProviderSingleton.getRunnableConfig())
  return { configurable: asRecord(own['configurable'] ?? around['configurable']), context: own['context'] ?? around['context'] }
}

export const namedSession = ({ configurable }: HermesCall): string | undefined => {
  const { sessionId, thread_id: threadId } = configurable
  const id = sessionId ?? threadId
  if (typeof id === 'number') return String(id)
  return asText(id) || undefined
}

/** A text, or a whole number as text; undefined for what can be no id. */
const idOf = (value: unknown): string | undefined => (Number.isSafeInteger(value) ? String(value) : asText(value) || undefined)

type Named = { readonly id: string | undefined } | { readonly problem: string }

const readId = (call: HermesCall, key: 'user_id' | 'tenant_id'): Named => {
  const given = [call.configurable[key], asRecord(call.context)[key]].filter((value) => value !== undefined)
  const ids = given.map(idOf)
  if (ids.includes(undefined)) return { problem: `The '${key}' of the call is neither a text nor a whole number` }
  if (new Set(ids).size > 1) return { problem: `The call has one '${key}' in its configurable and another one in its context` }
  return { id: ids[0] }
}

export interface NamedOwner {
  readonly tenant?: string
  readonly user: string
}

/** `problem`: a sentence without its end, saying why nobody is named. */
export const namedOwner = (call: HermesCall): NamedOwner | { readonly problem: string } => {
  const user = readId(call, 'user_id')
  const tenant = readId(call, 'tenant_id')
  if ('problem' in user) return user
  if ('problem' in tenant) return tenant
  if (user.id === undefined) return { problem: 'The call names no owner' }
  return tenant.id === undefined ? { user: user.id } : { tenant: tenant.id, user: user.id }
}

/** For targets of one person, whose hosts may use the key for purposes of their own: what can be no id is ignored. */
export const namedUser = ({ configurable, context }: HermesCall): string | undefined =>
  idOf(configurable['user_id']) ?? idOf(asRecord(context)['user_id'])
