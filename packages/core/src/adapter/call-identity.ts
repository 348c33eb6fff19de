/** Whose call it is, where a host writes that down in an object of its own: in the options of a call, or around a run. */
import {
  type FoundSession,
  findSession,
  type HermesTarget,
  isFailure,
  tellFailure,
  WITHOUT_MEMORY,
  type WiringAdvice,
} from './find-session.ts'
import type { HermesWarningListener } from './hermes-warning.ts'
import { asRecord } from './loose-values.ts'

/** What a host states about one call or run. A type, since an interface does not fit the options of the AI SDK. */
export type HermesCall = {
  /** The id of the signed-in user, for a wrapped model that serves several users. Take it from the server's own session, never from the request body. */
  readonly user?: string
  /** The id of the user's tenant, if there are tenants. */
  readonly tenant?: string
  /** Names the session, for a wrapped model that serves several. */
  readonly sessionId?: string
  /** The project of the session. A session keeps the one that it began with. */
  readonly project?: string
  /** Marks a side call (a title, a summary): no memory block, no counting, no review. */
  readonly skip?: boolean
  /** True if no person is there: a scheduled or background run. Passed on to the memory provider. */
  readonly automated?: boolean
}

/** Where the host writes it. */
export interface CallPlace {
  /** For messages. */
  readonly name: string
  readonly advice: WiringAdvice
}

/** `write`: a sentence that says how to write these keys there. */
export const callPlace = (name: string, write: (keys: string) => string): CallPlace => ({
  name,
  advice: {
    owner: `${write('user, sessionId')} The user is the id of the signed-in user.`,
    session: write('sessionId'),
    ownedSession: write('user, sessionId'),
    manySessions: 'To choose a session in each call, wrap the model with the Hermes object instead of the session.',
    manyPeople: 'To serve many people, wrap the model with createHermesHomes({ storage }). For one person, omit user and tenant.',
  },
})

const FLAGS = ['skip', 'automated'] as const
const KEYS: readonly string[] = ['user', 'tenant', 'sessionId', 'project', ...FLAGS]

const problemOf = (given: unknown): string | undefined => {
  if (typeof given !== 'object' || Array.isArray(given)) return 'it is not an object'
  const stated = asRecord(given)
  const unknown = Object.keys(stated).find((key) => !KEYS.includes(key))
  if (unknown !== undefined) return `unknown key '${unknown.slice(0, 80)}'; the keys are ${KEYS.join(', ')}`
  const flag = FLAGS.find((key) => stated[key] !== undefined && typeof stated[key] !== 'boolean')
  if (flag !== undefined) return `${flag} is not a boolean`
  const { sessionId } = stated
  return sessionId === undefined || (typeof sessionId === 'string' && sessionId !== '') ? undefined : 'sessionId is not a non-empty string'
}

/**
 * Undefined if the call is to pass unchanged: it asks for that, or its owner or session is not clear (then the host gets a warning and an event). `given`:
 * unchecked; nothing is stated if it is undefined or null.
 */
export const identifyCall = (
  target: HermesTarget,
  given: unknown,
  { name, advice }: CallPlace,
  warn: HermesWarningListener,
): (FoundSession & { readonly automated: true | undefined }) | undefined => {
  const problem = problemOf(given ?? {})
  const { user, tenant, sessionId, project, skip, automated } = asRecord(given)
  if (problem === undefined && skip === true) return undefined
  const owner = (user ?? tenant ?? undefined) === undefined ? {} : { owner: { user, tenant } }
  const found =
    problem === undefined
      ? findSession(target, { ...owner, sessionId: sessionId as string | undefined, project: project ?? undefined }, advice)
      : ({ mistake: 'invalid-option', message: `${name}: ${problem}, ${WITHOUT_MEMORY}.` } as const)
  if (!isFailure(found)) return { ...found, automated: automated === true || undefined }
  tellFailure(target, found, warn)
  return undefined
}
