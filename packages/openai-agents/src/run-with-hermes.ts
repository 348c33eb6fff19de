/** Whose run it is: the context of a run does not reach its model, so it goes with the asynchronous context instead. */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  asRecord,
  type FoundSession,
  findSession,
  type HermesTarget,
  type HermesWarningListener,
  isFailure,
  tellFailure,
  WITHOUT_MEMORY,
  type WiringAdvice,
} from '@hermes/core/adapter'

export interface HermesRun {
  /** The id of the signed-in user, with homes. Take it from the server's own session, never from the request body. */
  readonly user?: string
  /** The id of the user's tenant, if there are tenants. */
  readonly tenant?: string
  /** Names the session, for a wrapped model that serves several. */
  readonly sessionId?: string
  /** Marks a side run (a title, a summary): no memory block, no counting, no review. */
  readonly skip?: boolean
  /** True if no person is there: a scheduled or background run. Passed on to the memory provider. */
  readonly automated?: boolean
}

const KEY = Symbol.for('@hermes/openai-agents run')

/** One for all copies of this module, as an app may load it as an ES module and as CommonJS. */
const sharedRuns = (): AsyncLocalStorage<unknown> => {
  const known: unknown = Reflect.get(globalThis, KEY)
  if (known !== undefined) return known as AsyncLocalStorage<unknown>
  const runs = new AsyncLocalStorage<unknown>()
  Reflect.set(globalThis, KEY, runs)
  return runs
}

const RUNS = sharedRuns()

/**
 * Runs `body` for one user and session: `runWithHermes({ user, sessionId }, () => run(agent, input))`. Holds for every model call that `body` starts, those of
 * hand-offs, sub-agents and streams included. Answers what `body` answers. A wrong `hermesRun` never makes a call fail: it goes without memory, and the host is warned.
 */
export const runWithHermes = <Answer>(hermesRun: HermesRun, body: () => Answer): Answer => RUNS.run(hermesRun, body)

/** The run that the caller is in; undefined outside one. */
export const currentRun = (): unknown => RUNS.getStore()

const wrapIn = (keys: string): string => `Wrap the run: runWithHermes({ ${keys} }, () => run(agent, input)).`

const ADVICE: WiringAdvice = {
  owner: `${wrapIn('user, sessionId')} The user is the id of the signed-in user.`,
  session: wrapIn('sessionId'),
  ownedSession: wrapIn('user, sessionId'),
  manySessions: 'To choose a session in each run, wrap the model with the Hermes object: withHermes(model, hermes).',
  manyPeople:
    'To serve many people, wrap the model with their homes: withHermes(model, createHermesHomes({ storage })). For one person, omit user and tenant.',
}

const STRINGS = ['user', 'tenant', 'sessionId'] as const
const FLAGS = ['skip', 'automated'] as const
const KEYS: readonly string[] = [...STRINGS, ...FLAGS]

const problemOf = (run: unknown): string | undefined => {
  if (run === undefined) return undefined
  if (typeof run !== 'object' || run === null || Array.isArray(run)) return 'the first argument is not an object'
  const given = asRecord(run)
  const unknown = Object.keys(given).find((key) => !KEYS.includes(key))
  if (unknown !== undefined) return `unknown key '${unknown.slice(0, 80)}'; the keys are ${KEYS.join(', ')}`
  const flag = FLAGS.find((key) => given[key] !== undefined && typeof given[key] !== 'boolean')
  if (flag !== undefined) return `${flag} is not a boolean`
  const { sessionId } = given
  return sessionId === undefined || (typeof sessionId === 'string' && sessionId !== '') ? undefined : 'sessionId is not a non-empty string'
}

/** Undefined if the call is to pass unchanged: its run asks for that, or its owner or session is not clear (then the host gets a warning and an event). */
export const sessionOfRun = (target: HermesTarget, run: unknown, warn: HermesWarningListener): FoundSession | undefined => {
  const problem = problemOf(run)
  const { user, tenant, sessionId, skip } = asRecord(run)
  if (problem === undefined && skip === true) return undefined
  const owner = (user ?? tenant ?? undefined) === undefined ? {} : { owner: { user, ...(tenant == null ? {} : { tenant }) } }
  const found =
    problem === undefined
      ? findSession(target, { ...owner, sessionId: sessionId as string | undefined }, ADVICE)
      : ({ mistake: 'invalid-option', message: `runWithHermes: ${problem}, ${WITHOUT_MEMORY}.` } as const)
  if (!isFailure(found)) return found
  tellFailure(target, found, warn)
  return undefined
}
