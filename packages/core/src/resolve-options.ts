/** The options of `createHermes` and `createHermesHomes`, how they are checked, and their defaults. */
import { curatorOptions } from './curator/curator-options.ts'
import type { SkillEvaluator } from './evaluation/skill-evaluator.ts'
import { type ReviewGate, TRUST_LEVELS } from './gate/review-gate.ts'
import type { HermesHomesOptions, HermesOptions } from './hermes-options.ts'
import type { OwnerId } from './homes/owner.ts'
import { DEFAULT_JOURNAL_RETAIN_DAYS } from './journal/journal-days.ts'
import {
  DEFAULT_MEMORY_CHAR_LIMIT,
  DEFAULT_PROJECT_CHAR_LIMIT,
  DEFAULT_USER_CHAR_LIMIT,
  defaultMaxBlockChars,
  MAX_CHAR_LIMIT,
  PROFILE_CHAR_LIMIT,
} from './memory/memory-limits.ts'
import { WHEN_FULL, type WhenFull } from './memory/memory-store-options.ts'
import type { ProfileSchema } from './memory/profile-schema.ts'
import type { HostModel } from './model/host-model.ts'
import { DEFAULT_MEMORY_NUDGE_INTERVAL, DEFAULT_MIN_TURNS, DEFAULT_SKILL_NUDGE_INTERVAL } from './nudge/nudge-intervals.ts'
import { providerFault } from './provider/check-provider.ts'
import type { MemoryProvider } from './provider/memory-provider.ts'
import type { ReviewQueue } from './queue/review-queue.ts'
import {
  DEFAULT_MAX_INPUT_TOKENS,
  DEFAULT_MAX_OUTPUT_TOKENS,
  DEFAULT_MAX_PROPOSALS,
  DEFAULT_MAX_SKILL_OUTPUT_TOKENS,
  DEFAULT_TIMEOUT_MS,
  MIN_INPUT_TOKENS,
} from './review/review-limits.ts'
import type { HermesEventListener } from './session/hermes-event.ts'
import type { TrustedTool } from './session/tool-trust.ts'
import {
  callback,
  flag,
  group,
  list,
  number,
  numberFault,
  type Option,
  type OptionValue,
  oneOf,
  option,
  required,
} from './shared/check-options.ts'
import { type Clock, isTimeZone, systemClock } from './shared/clock.ts'
import { DEFAULT_CATALOG_CHAR_LIMIT } from './skills/catalog-limit.ts'
import { projectFault } from './storage/project.ts'
import type { StorageBackend } from './storage/storage-backend.ts'
import { checkIsObject, isStorageBackend, STORAGE_EXPECTED } from './storage/with-storage.ts'

const DEFAULT_MAX_OPEN_HOMES = 1_000
const DEFAULT_IDLE_MINUTES = 15
const DEFAULT_SESSION_RETAIN_DAYS = 30
const DEFAULT_SESSION_LOAD_TIMEOUT_MS = 5_000

const DEFAULT_EVALUATION_TIMEOUT_MS = 60_000
const DEFAULT_EVALUATION_TOKENS = 50_000
const DEFAULT_PROVIDER_TIMEOUT_MS = 1_500
const DEFAULT_RECALL_CHARS = 1_600
/** A fraction of what a conversation may show. */
const MAX_RECALL_CHARS = 16_000

/** The longest delay of a timer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

const JOURNAL_DAYS = "must be a whole number of days, 1 or more, or 'forever'"

const TIME_ZONE = "must be the name of a time zone, such as 'Europe/Lisbon', or a function that returns one"

const SHARED_STORAGE = `must be a storage back end, such as skillsFolder('/srv/team/skills') or notesFolder('/srv/team/notes')`

const QUEUE_METHODS = ['add', 'claim', 'renew', 'end', 'remove', 'stats', 'close'] as const

const REVIEW_QUEUE =
  'must be a queue of reviews, such as sqliteReviewQueue(file) of @hermes/sqlite or postgresReviewQueue(client) of @hermes/postgres'

const hasMethods = (value: unknown, names: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && names.every((name) => typeof Reflect.get(value, name) === 'function')

const TRUSTED_TOOL = "must be the name of a tool, or an object with its 'name' and perhaps its 'description', as texts"

/** A tool object has more fields than these. */
const isTrustedTool = (value: unknown): value is TrustedTool => {
  if (typeof value !== 'object' || value === null) return typeof value === 'string'
  const { name, description } = value as Readonly<Record<string, unknown>>
  return typeof name === 'string' && (description === undefined || typeof description === 'string')
}

const PROFILE_SCHEMA = 'must be a Standard Schema, such as z.object({ name: z.string() }) of zod 3.24 or newer'

/** One of arktype is a function. */
const isSchema = (given: unknown): boolean => hasMethods(Object(given)['~standard'], ['validate'])

const memoryProvider = option<MemoryProvider | undefined>((given) => {
  const fault = providerFault(given)
  return fault && `must be one memory provider, such as recallProvider({ index }) of @hermes/recall, but ${fault}`
}, undefined)

const charLimit = (preset: number) => number({ least: 0, most: MAX_CHAR_LIMIT }, preset)
const timeout = (preset: number) => number({ least: 1, most: MAX_TIMEOUT_MS }, preset)

const OPTIONS = {
  storage: required<StorageBackend>((given) => (isStorageBackend(given) ? undefined : STORAGE_EXPECTED)),
  project: option<string | undefined>(projectFault, undefined),
  timeZone: option<string | ((owner: OwnerId | undefined) => string) | undefined>(
    (given) => (typeof given === 'function' || isTimeZone(given) ? undefined : TIME_ZONE),
    undefined,
  ),
  profile: option<ProfileSchema | undefined>((given) => (isSchema(given) ? undefined : PROFILE_SCHEMA), undefined),
  memory: group({
    memoryEnabled: flag(true),
    userProfileEnabled: flag(true),
    memoryCharLimit: charLimit(DEFAULT_MEMORY_CHAR_LIMIT),
    userCharLimit: charLimit(DEFAULT_USER_CHAR_LIMIT),
    projectCharLimit: charLimit(DEFAULT_PROJECT_CHAR_LIMIT),
    whenFull: oneOf(WHEN_FULL, undefined),
    shared: list<StorageBackend>((given) => (isStorageBackend(given) ? undefined : SHARED_STORAGE)),
    sharedCharLimit: charLimit(DEFAULT_MEMORY_CHAR_LIMIT),
    trustShared: flag(false),
    provider: memoryProvider,
    providerTimeoutMs: timeout(DEFAULT_PROVIDER_TIMEOUT_MS),
    recallChars: number({ least: 0, most: MAX_RECALL_CHARS }, DEFAULT_RECALL_CHARS),
  }),
  skills: group({
    enabled: flag(true),
    catalog: group({ stale: oneOf(['mark', 'hide'], 'mark'), charLimit: number({ least: 0 }, DEFAULT_CATALOG_CHAR_LIMIT) }),
    evaluate: callback<SkillEvaluator | undefined>(),
    evaluation: group({
      timeoutMs: timeout(DEFAULT_EVALUATION_TIMEOUT_MS),
      maxTokens: number({ least: 1 }, DEFAULT_EVALUATION_TOKENS),
      withoutVerdict: oneOf(['apply', 'hold'], undefined),
    }),
    shared: list<StorageBackend>((given) => (isStorageBackend(given) ? undefined : SHARED_STORAGE)),
  }),
  nudge: group({
    memoryInterval: number({ least: 0 }, DEFAULT_MEMORY_NUDGE_INTERVAL),
    skillInterval: number({ least: 0 }, DEFAULT_SKILL_NUDGE_INTERVAL),
    minTurns: number({ least: 1 }, DEFAULT_MIN_TURNS),
  }),
  review: group({
    mode: oneOf(['digest', 'replay'], 'digest'),
    start: oneOf(['automatic', 'manual'], 'automatic'),
    model: callback<HostModel | undefined>(),
    maxInputTokens: number({ least: MIN_INPUT_TOKENS }, DEFAULT_MAX_INPUT_TOKENS),
    maxOutputTokens: number({ least: 1 }, DEFAULT_MAX_OUTPUT_TOKENS),
    maxSkillOutputTokens: number({ least: 1 }, DEFAULT_MAX_SKILL_OUTPUT_TOKENS),
    timeoutMs: timeout(DEFAULT_TIMEOUT_MS),
    maxProposals: number({ least: 1 }, DEFAULT_MAX_PROPOSALS),
    budget: number({ above: 0, most: 1, fractions: true }, undefined),
    maxTokensPerDay: number({ least: 1 }, undefined),
    queue: option<ReviewQueue | undefined>((given) => (hasMethods(given, QUEUE_METHODS) ? undefined : REVIEW_QUEUE), undefined),
  }),
  curator: curatorOptions,
  gate: callback<ReviewGate | undefined>(),
  trust: oneOf(TRUST_LEVELS, 'balanced'),
  trustedTools: list<TrustedTool>((given) => (isTrustedTool(given) ? undefined : TRUSTED_TOOL)),
  sessions: group({
    retainDays: number({ least: 0 }, DEFAULT_SESSION_RETAIN_DAYS),
    keepText: flag(true),
    loadTimeoutMs: timeout(DEFAULT_SESSION_LOAD_TIMEOUT_MS),
    maxBlockChars: number({ least: 1 }, undefined),
  }),
  journal: group({
    retainDays: option<number | 'forever'>(
      (given) => (given === 'forever' || numberFault(given, { least: 1 }) === undefined ? undefined : JOURNAL_DAYS),
      DEFAULT_JOURNAL_RETAIN_DAYS,
    ),
  }),
  actor: oneOf(['host', 'person'], 'host'),
  background: callback<((task: Promise<unknown>) => void) | undefined>(),
  onEvent: callback<HermesEventListener | undefined>(),
  clock: callback<Clock>(systemClock),
  createId: callback<() => string>(() => crypto.randomUUID()),
}

const HOMES = group({
  maxOpen: number({ least: 1 }, DEFAULT_MAX_OPEN_HOMES),
  idleMinutes: number({ least: 0, fractions: true }, DEFAULT_IDLE_MINUTES),
})

const hermesOptions = group(OPTIONS)
const homesOptions = group({ ...OPTIONS, homes: HOMES })

type Options = OptionValue<typeof hermesOptions>

type WithDefaults<T extends Options> = T & { memory: { whenFull: WhenFull }; sessions: { maxBlockChars: number } }

/** Every option, with its default where it was left out. */
export type ResolvedHermesOptions = WithDefaults<Options>

/** What is accepted; a test compares it with `HermesHomesOptions`. */
export type HermesHomesInput = OptionValue<typeof homesOptions>

/** Fills in defaults. Throws a TypeError that names an invalid or unknown option. */
export const resolveOptions = (options: HermesOptions): ResolvedHermesOptions =>
  withDefaults('createHermes', resolve('createHermes', hermesOptions, options))

export const resolveHomesOptions = (options: HermesHomesOptions) =>
  withDefaults('createHermesHomes', resolve('createHermesHomes', homesOptions, options))

/** The defaults that depend on other options. */
const withDefaults = <T extends Options>(caller: string, options: T): WithDefaults<T> => {
  const { trust, memory, skills, sessions, review, profile } = options
  if (review.queue && !sessions.keepText) {
    const why = 'a worker in another process can read only what is stored. Leave one of the two out.'
    throw new TypeError(`${caller}: 'review.queue' needs 'sessions.keepText': ${why}`)
  }
  const { whenFull = trust === 'strict' ? 'hold' : 'evict', memoryCharLimit, userCharLimit, shared, sharedCharLimit } = memory
  const ofTeam = shared.length > 0 ? sharedCharLimit : 0
  const limits = [memoryCharLimit, userCharLimit, skills.catalog.charLimit, profile ? PROFILE_CHAR_LIMIT : 0, ofTeam]
  const { maxBlockChars = defaultMaxBlockChars(...limits) } = sessions
  return { ...options, memory: { ...memory, whenFull }, sessions: { ...sessions, maxBlockChars } }
}

const resolve = <T>(caller: string, all: Option<T>, options: unknown): T => {
  checkIsObject(caller, options)
  const problems: string[] = []
  const resolved = all(options, '', problems)
  if (problems.length === 0) return resolved
  throw new TypeError(`${caller}: ${problems.join('; ')}. See docs/configuration.md in the package @hermes/core for every option.`)
}
