/** The schema of the options of `createHermes` and `createHermesHomes`, and their defaults. */

import * as z from 'zod/mini'
import { curatorOptionsSchema } from './curator/curator-options.ts'
import { type ReviewGate, TRUST_LEVELS } from './gate/review-gate.ts'
import type { HermesHomesOptions, HermesOptions } from './hermes-options.ts'
import { DEFAULT_JOURNAL_RETAIN_DAYS } from './journal/journal-days.ts'
import { DEFAULT_MEMORY_CHAR_LIMIT, DEFAULT_USER_CHAR_LIMIT, defaultMaxBlockChars, MAX_CHAR_LIMIT } from './memory/memory-document.ts'
import { WHEN_FULL, type WhenFull } from './memory/memory-store-options.ts'
import type { HostModel } from './model/host-model.ts'
import { DEFAULT_MEMORY_NUDGE_INTERVAL, DEFAULT_MIN_TURNS, DEFAULT_SKILL_NUDGE_INTERVAL } from './nudge/review-state.ts'
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
import { checkShape } from './shared/check-shape.ts'
import { type Clock, systemClock } from './shared/clock.ts'
import { optionGroup } from './shared/option-group.ts'
import { readOnce } from './shared/read-once.ts'
import { DEFAULT_CATALOG_CHAR_LIMIT } from './skills/skill-catalog.ts'
import type { StorageBackend } from './storage/storage-backend.ts'
import { checkIsObject, isStorageBackend, STORAGE_EXPECTED } from './storage/with-storage.ts'

const DEFAULT_MAX_OPEN_HOMES = 1_000
const DEFAULT_IDLE_MINUTES = 15
const DEFAULT_SESSION_RETAIN_DAYS = 30
const DEFAULT_SESSION_LOAD_TIMEOUT_MS = 5_000

const DEFAULT_PROVIDER_TIMEOUT_MS = 1_500
const DEFAULT_RECALL_CHARS = 1_600
/** A fraction of what a conversation may show. */
const MAX_RECALL_CHARS = 16_000

/** The longest delay of a timer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

const JOURNAL_DAYS = "must be a whole number of days, 1 or more, or 'forever'"

const SHARED_STORAGE = `must be a storage back end, such as skillsFolder('/srv/team/skills')`

const QUEUE_METHODS = ['add', 'claim', 'renew', 'end', 'remove', 'stats', 'close'] as const

const REVIEW_QUEUE =
  'must be a queue of reviews, such as sqliteReviewQueue(file) of @hermes/sqlite or postgresReviewQueue(client) of @hermes/postgres'

const hasMethods = (value: unknown, names: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && names.every((name) => typeof Reflect.get(value, name) === 'function')

const isReviewQueue = (value: unknown): value is ReviewQueue => hasMethods(value, QUEUE_METHODS)

/** A tool object has more fields than these. */
const trustedTool = () => z.union([z.string(), z.looseObject({ name: z.string(), description: z.optional(z.string()) })])

const randomId = () => crypto.randomUUID()

const aFunction = <T>() => z.custom<T>((value) => typeof value === 'function', 'must be a function')
const atLeast = (least: number, preset: number) => z._default(z.int().check(z.gte(least)), preset)
const charLimit = (preset: number) => z._default(z.int().check(z.gte(0), z.lte(MAX_CHAR_LIMIT)), preset)
const timeout = (preset: number) => z._default(z.int().check(z.gte(1), z.lte(MAX_TIMEOUT_MS)), preset)

const memoryProvider = () =>
  z.custom<MemoryProvider>((value) => providerFault(value) === undefined, {
    error: ({ input }) => `must be one memory provider, such as recallProvider({ index }) of @hermes/recall, but ${providerFault(input)}`,
  })

const MEMORY = {
  memoryEnabled: true,
  userProfileEnabled: true,
  memoryCharLimit: DEFAULT_MEMORY_CHAR_LIMIT,
  userCharLimit: DEFAULT_USER_CHAR_LIMIT,
  providerTimeoutMs: DEFAULT_PROVIDER_TIMEOUT_MS,
  recallChars: DEFAULT_RECALL_CHARS,
}

const CATALOG = { stale: 'mark' as const, charLimit: DEFAULT_CATALOG_CHAR_LIMIT }

const SKILLS = { enabled: true, catalog: CATALOG, shared: [] }

const NUDGE = {
  memoryInterval: DEFAULT_MEMORY_NUDGE_INTERVAL,
  skillInterval: DEFAULT_SKILL_NUDGE_INTERVAL,
  minTurns: DEFAULT_MIN_TURNS,
}

const REVIEW = {
  mode: 'digest' as const,
  maxInputTokens: DEFAULT_MAX_INPUT_TOKENS,
  maxOutputTokens: DEFAULT_MAX_OUTPUT_TOKENS,
  maxSkillOutputTokens: DEFAULT_MAX_SKILL_OUTPUT_TOKENS,
  timeoutMs: DEFAULT_TIMEOUT_MS,
  maxProposals: DEFAULT_MAX_PROPOSALS,
}

const SESSIONS = { retainDays: DEFAULT_SESSION_RETAIN_DAYS, keepText: true, loadTimeoutMs: DEFAULT_SESSION_LOAD_TIMEOUT_MS }

const JOURNAL = { retainDays: DEFAULT_JOURNAL_RETAIN_DAYS }

const HOMES = { maxOpen: DEFAULT_MAX_OPEN_HOMES, idleMinutes: DEFAULT_IDLE_MINUTES }

/** Of `createHermes`. Schemas are built when they are first used, a group only if it is given: building all takes as long as loading this package. */
const optionsSchema = readOnce(() =>
  z.strictObject({
    storage: z.custom<StorageBackend>(isStorageBackend, STORAGE_EXPECTED),
    memory: optionGroup(MEMORY, () =>
      z.strictObject({
        memoryEnabled: z._default(z.boolean(), MEMORY.memoryEnabled),
        userProfileEnabled: z._default(z.boolean(), MEMORY.userProfileEnabled),
        memoryCharLimit: charLimit(MEMORY.memoryCharLimit),
        userCharLimit: charLimit(MEMORY.userCharLimit),
        whenFull: z.optional(z.enum(WHEN_FULL)),
        provider: z.optional(memoryProvider()),
        providerTimeoutMs: timeout(MEMORY.providerTimeoutMs),
        recallChars: z._default(z.int().check(z.gte(0), z.lte(MAX_RECALL_CHARS)), MEMORY.recallChars),
      }),
    ),
    skills: optionGroup(SKILLS, () =>
      z.strictObject({
        enabled: z._default(z.boolean(), SKILLS.enabled),
        catalog: optionGroup(CATALOG, () =>
          z.strictObject({
            stale: z._default(z.enum(['mark', 'hide']), CATALOG.stale),
            charLimit: atLeast(0, CATALOG.charLimit),
          }),
        ),
        shared: z._default(z.array(z.custom<StorageBackend>(isStorageBackend, SHARED_STORAGE)), SKILLS.shared),
      }),
    ),
    nudge: optionGroup(NUDGE, () =>
      z.strictObject({
        memoryInterval: atLeast(0, NUDGE.memoryInterval),
        skillInterval: atLeast(0, NUDGE.skillInterval),
        minTurns: atLeast(1, NUDGE.minTurns),
      }),
    ),
    review: optionGroup(REVIEW, () =>
      z.strictObject({
        mode: z._default(z.enum(['digest', 'replay']), REVIEW.mode),
        model: z.optional(aFunction<HostModel>()),
        maxInputTokens: atLeast(MIN_INPUT_TOKENS, REVIEW.maxInputTokens),
        maxOutputTokens: atLeast(1, REVIEW.maxOutputTokens),
        maxSkillOutputTokens: atLeast(1, REVIEW.maxSkillOutputTokens),
        timeoutMs: timeout(REVIEW.timeoutMs),
        maxProposals: atLeast(1, REVIEW.maxProposals),
        budget: z.optional(z.number().check(z.gt(0), z.lte(1))),
        maxTokensPerDay: z.optional(z.int().check(z.gte(1))),
        queue: z.optional(z.custom<ReviewQueue>(isReviewQueue, REVIEW_QUEUE)),
      }),
    ),
    curator: curatorOptionsSchema(),
    gate: z.optional(aFunction<ReviewGate>()),
    trust: z._default(z.enum(TRUST_LEVELS), 'balanced'),
    trustedTools: z._default(z.array(trustedTool()), []),
    sessions: optionGroup(SESSIONS, () =>
      z.strictObject({
        retainDays: atLeast(0, SESSIONS.retainDays),
        keepText: z._default(z.boolean(), SESSIONS.keepText),
        loadTimeoutMs: timeout(SESSIONS.loadTimeoutMs),
        maxBlockChars: z.optional(z.int().check(z.gte(1))),
      }),
    ),
    journal: optionGroup(JOURNAL, () =>
      z.strictObject({
        retainDays: z._default(
          z.union([z.int(JOURNAL_DAYS).check(z.gte(1, JOURNAL_DAYS)), z.literal('forever')], JOURNAL_DAYS),
          JOURNAL.retainDays,
        ),
      }),
    ),
    actor: z._default(z.enum(['host', 'person']), 'host'),
    background: z.optional(aFunction<(task: Promise<unknown>) => void>()),
    onEvent: z.optional(aFunction<HermesEventListener>()),
    clock: z._default(aFunction<Clock>(), () => systemClock),
    createId: z._default(aFunction<() => string>(), () => randomId),
  }),
)

type Options = z.output<ReturnType<typeof optionsSchema.read>>

type WithDefaults<T extends Options> = T & { memory: { whenFull: WhenFull }; sessions: { maxBlockChars: number } }

/** Every option, with its default where it was left out. */
export type ResolvedHermesOptions = WithDefaults<Options>

const homesOptionsSchema = readOnce(() =>
  z.extend(optionsSchema.read(), {
    homes: optionGroup(HOMES, () =>
      z.strictObject({
        maxOpen: atLeast(1, HOMES.maxOpen),
        idleMinutes: z._default(z.number().check(z.gte(0)), HOMES.idleMinutes),
      }),
    ),
  }),
)

/** What the schema accepts; a test compares it with `HermesHomesOptions`. */
export type HermesHomesInput = z.input<ReturnType<typeof homesOptionsSchema.read>>

/** Fills in defaults. Throws a TypeError that names an invalid or unknown option. */
export const resolveOptions = (options: HermesOptions): ResolvedHermesOptions =>
  withDefaults('createHermes', resolve('createHermes', optionsSchema.read(), options))

export const resolveHomesOptions = (options: HermesHomesOptions) =>
  withDefaults('createHermesHomes', resolve('createHermesHomes', homesOptionsSchema.read(), options))

/** The defaults that depend on other options. */
const withDefaults = <T extends Options>(caller: string, options: T): WithDefaults<T> => {
  const { trust, memory, skills, sessions, review } = options
  if (review.queue && !sessions.keepText) {
    const why = 'a worker in another process can read only what is stored. Leave one of the two out.'
    throw new TypeError(`${caller}: 'review.queue' needs 'sessions.keepText': ${why}`)
  }
  const { whenFull = trust === 'strict' ? 'hold' : 'evict', memoryCharLimit, userCharLimit } = memory
  const { maxBlockChars = defaultMaxBlockChars(memoryCharLimit, userCharLimit, skills.catalog.charLimit) } = sessions
  return { ...options, memory: { ...memory, whenFull }, sessions: { ...sessions, maxBlockChars } }
}

const resolve = <T>(caller: string, schema: z.ZodMiniType<T>, options: unknown): T => {
  checkIsObject(caller, options)
  // Compiling the schema takes longer than walking it once.
  const resolved = checkShape(schema, options, { jitless: true })
  if (resolved.success) return resolved.data
  const problems = resolved.error.issues.map(({ path, message }) => (path.length > 0 ? `'${path.join('.')}': ${message}` : message))
  throw new TypeError(`${caller}: ${problems.join('; ')}. See docs/configuration.md in the package @hermes/core for every option.`)
}
