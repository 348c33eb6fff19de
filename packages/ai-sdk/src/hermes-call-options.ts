/** `providerOptions.hermes` of one call: its owner and session, or that it belongs to none. */
import { asRecord } from '@hermes/core/adapter'

/** Set by the host: `generateText({ …, providerOptions: { hermes: { user, sessionId } } })`. Never sent to the provider. */
export type HermesCallOptions = {
  /**
   * The id of the signed-in user, for a wrapped model that serves several users. Take it from the server's own session, never from the
   * request body.
   */
  readonly user?: string
  /** The id of the user's tenant, if there are tenants. */
  readonly tenant?: string
  /** Names the session, for a wrapped model that serves several. */
  readonly sessionId?: string
  /** Marks a side call (a title, a summary): no memory block, no counting, no review. */
  readonly skip?: boolean
  /** True if no person is there: a scheduled or background run. Passed on to the memory provider. */
  readonly automated?: boolean
  /** Set by Hermes on its own calls, so that a recording model or an inner wrapper can tell them apart. */
  readonly purpose?: 'review'
}

export interface ReadCallOptions {
  /** The unchecked values; undefined if neither is given. */
  readonly owner?: { readonly user: unknown; readonly tenant: unknown }
  readonly sessionId?: string
  readonly skip: boolean
  readonly automated?: true
  /** What could not be read, as a message for the host. */
  readonly problem?: string
}

const OFFERED_KEYS = ['user', 'tenant', 'sessionId', 'skip', 'automated'] as const satisfies readonly (keyof HermesCallOptions)[]
const KNOWN_KEYS: readonly string[] = [...OFFERED_KEYS, 'purpose']

const lettersOf = (key: string): string => key.toLowerCase().replace(/[^a-z]/g, '')

/** Whether the characters of `part` occur in `whole` in the same order. Finds keys with a missing, doubled or cut-off letter. */
const isWithin = (part: string, whole: string): boolean => {
  let at = 0
  for (const letter of whole) if (letter === part[at]) at += 1
  return at === part.length
}

const isMisspelt = (given: string, known: string): boolean => {
  const [left, right] = [lettersOf(given), lettersOf(known)]
  return left !== '' && (isWithin(left, right) || isWithin(right, left))
}

const describeUnknown = (key: string): string => {
  const meant = OFFERED_KEYS.find((known) => isMisspelt(key, known))
  const advice = meant === undefined ? `; the keys are ${OFFERED_KEYS.join(', ')}` : `, did you mean '${meant}'?`
  return `unknown key '${key.slice(0, 80)}'${advice}`
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/** An option that cannot be read counts as absent and is named in `problem`. */
export const readCallOptions = (providerOptions: unknown): ReadCallOptions => {
  const given = asRecord(providerOptions)['hermes']
  if (given === undefined || given === null) return { skip: false }
  if (typeof given !== 'object' || Array.isArray(given)) return { skip: false, problem: 'providerOptions.hermes is not an object' }
  const { user, tenant, sessionId, skip, automated, purpose } = asRecord(given)
  if (purpose === 'review') return { skip: true }
  const problems = Object.keys(given)
    .filter((key) => !KNOWN_KEYS.includes(key))
    .map(describeUnknown)
  if (sessionId !== undefined && (typeof sessionId !== 'string' || sessionId === '')) problems.push('sessionId is not a non-empty string')
  if (skip !== undefined && typeof skip !== 'boolean') problems.push('skip is not a boolean')
  if (automated !== undefined && typeof automated !== 'boolean') problems.push('automated is not a boolean')
  return {
    ...(isAbsent(user) && isAbsent(tenant) ? {} : { owner: { user, tenant } }),
    ...(typeof sessionId === 'string' && sessionId !== '' ? { sessionId } : {}),
    skip: skip === true,
    ...(automated === true ? { automated } : {}),
    ...(problems.length === 0 ? {} : { problem: `providerOptions.hermes: ${problems.join(', ')}` }),
  }
}

/** The host's options with `purpose: 'review'` added. */
export const markReview = (providerOptions: unknown): Readonly<Record<string, unknown>> => {
  const options = asRecord(providerOptions)
  return { ...options, hermes: { ...asRecord(options['hermes']), purpose: 'review' } satisfies HermesCallOptions }
}
