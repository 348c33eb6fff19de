/** Every option of `createHermes`, with its unit and its default; docs/configuration.md has a line on each. */
import * as z from 'zod'
import { curatorOptionsSchema, type HermesCuratorOptions } from './curator/curator-options.ts'
import type { TrustLevel } from './gate/evidence-gate.ts'
import { TRUST_LEVELS } from './gate/evidence-table.ts'
import type { ReviewGate } from './gate/review-gate.ts'
import type { HostActor } from './journal/host-writes.ts'
import { DEFAULT_JOURNAL_RETAIN_DAYS } from './journal/tidy-journal.ts'
import { DEFAULT_MEMORY_CHAR_LIMIT, DEFAULT_USER_CHAR_LIMIT } from './memory/char-budget.ts'
import { WHEN_FULL, type WhenFull } from './memory/memory-store-options.ts'
import type { HostModel } from './model/host-model.ts'
import { DEFAULT_MEMORY_NUDGE_INTERVAL, DEFAULT_MIN_TURNS, DEFAULT_SKILL_NUDGE_INTERVAL } from './nudge/decide-review.ts'
import {
  DEFAULT_MAX_INPUT_TOKENS,
  DEFAULT_MAX_OUTPUT_TOKENS,
  DEFAULT_MAX_PROPOSALS,
  DEFAULT_MAX_SKILL_OUTPUT_TOKENS,
  DEFAULT_TIMEOUT_MS,
  MIN_INPUT_TOKENS,
} from './review/review-limits.ts'
import type { HermesEventListener } from './session/hermes-event.ts'
import type { Clock } from './shared/clock.ts'
import { readOnce } from './shared/read-once.ts'
import { DEFAULT_CATALOG_CHAR_LIMIT } from './skills/skill-catalog.ts'
import type { StorageBackend } from './storage/storage-backend.ts'

export interface HermesOptions {
  /** Stores all documents: `fileSystemBackend('~/.hermes')`, `inMemoryBackend()` or your own. */
  readonly storage: StorageBackend
  readonly memory?: {
    /** Offer MEMORY.md, the agent's own notes. Default true. */
    readonly memoryEnabled?: boolean
    /** Offer USER.md, who the user is. Default true. */
    readonly userProfileEnabled?: boolean
    /** Maximum code points of MEMORY.md, including delimiters. Default 2200. */
    readonly memoryCharLimit?: number
    /** Maximum code points of USER.md, including delimiters. Default 1375. */
    readonly userCharLimit?: number
    /**
     * What happens to an accepted change that does not fit. `evict`: entries whose origin is trusted no more than that of the change are archived, the least trusted
     * first, then the one confirmed longest ago; never an entry that is pinned or was written by hand. `hold`: the change is held for a person. Default `evict`; with
     * trust `strict`, `hold`.
     */
    readonly whenFull?: WhenFull
  }
  readonly skills?: {
    /** Offer skills: the catalogue in the frozen text, the tools and the reviews. Default true. */
    readonly enabled?: boolean
    readonly catalog?: {
      /** Skills that were not used for a long time: `mark` lists them last with a note, `hide` omits them. Default `mark`. */
      readonly stale?: 'mark' | 'hide'
      /** Maximum code points of the catalogue, including its heading; 0 = no catalogue. Default 8,000. */
      readonly charLimit?: number
    }
    /**
     * Read-only storages of shared skills, such as `skillsFolder('/srv/team/skills')`. If names are equal, a skill of this home hides a shared one, and an earlier storage
     * hides a later one. `close()` does not close them. Default none.
     */
    readonly shared?: readonly StorageBackend[]
  }
  readonly nudge?: {
    /** User turns between memory reviews; 0 = never. Default 10. */
    readonly memoryInterval?: number
    /** Model steps with tool calls between skill reviews; 0 = never. Default 10. */
    readonly skillInterval?: number
    /** Minimum number of unread turns for a review at the end of a session, after 30 idle minutes or by `hermes.review()`. Default 3. */
    readonly minTurns?: number
  }
  readonly review?: {
    /** `digest`: sends a short transcript. `replay`: repeats the last request of the host, to use its prefix cache. Default `digest`. */
    readonly mode?: 'digest' | 'replay'
    /** A model for reviews only. Default: the model of the host. */
    readonly model?: HostModel
    /** Maximum input of the reviewer in estimated tokens, 4,000 or more. Default 24,000. */
    readonly maxInputTokens?: number
    /** Maximum output of the reviewer in tokens. Default 2,000. */
    readonly maxOutputTokens?: number
    /** The same for reviews of skills, which are longer; never less than `maxOutputTokens`. Default 6,000. */
    readonly maxSkillOutputTokens?: number
    /** Milliseconds for the whole review, including a retry. Default 120,000. */
    readonly timeoutMs?: number
    /** Maximum number of proposals of one review. Default 20. */
    readonly maxProposals?: number
    /**
     * Maximum share of the host's own tokens, over seven days, that reviews may use: 0.1 is a tenth. Above it, a review that is due by count is postponed, for at most
     * three intervals, with an event. Default: no limit.
     */
    readonly budget?: number
    /** Maximum tokens of all reviews of a day (UTC). Further reviews are postponed to the next day, with an event; the first of a day always runs. Default: no limit. */
    readonly maxTokensPerDay?: number
  }
  /** The upkeep of skills: when it runs, what ages, what is merged. Runs only when the host calls `hermes.curator`. */
  readonly curator?: HermesCuratorOptions
  /** Decides on every proposal. Default `everyGate(scoreThresholdGate(0.7), evidenceGate({ trust }))`. */
  readonly gate?: ReviewGate
  /** Trust level of the default gate; has no effect on a `gate` of your own. Default `balanced`. */
  readonly trust?: TrustLevel
  /** Names of tools whose results count as the agent's own work, not as external text. Default none. */
  readonly trustedTools?: readonly string[]
  readonly sessions?: {
    /** Days after which an unused session record is removed; 0 = never. Default 30. */
    readonly retainDays?: number
    /** Store the text of unread turns, with credentials redacted, until a review has read it. `false`: a review reads only the messages that the host passes. Default true. */
    readonly keepText?: boolean
    /** Milliseconds that a turn waits for the storage at its start, after which the session runs without memory, and that a tool of the agent waits. Default 5,000. */
    readonly loadTimeoutMs?: number
  }
  readonly journal?: {
    /** Days that journal records are kept, including today, or `forever`. Default 365. */
    readonly retainDays?: number | 'forever'
  }
  /** Who writes through `memoryStore()`, `skillStore()`, `pending` and `curator`, for the journal: the host's code or a person. Default `host`. */
  readonly actor?: HostActor
  /** Called with every background task, such as `waitUntil` or `(task) => after(() => task)`. Default: tasks simply run in the process. */
  readonly background?: (task: Promise<unknown>) => void
  /** Called with every event, including failures. Errors that it throws are ignored. */
  readonly onEvent?: HermesEventListener
  /** Returns epoch milliseconds. Default: the system clock. */
  readonly clock?: Clock
  /** Creates unique ids for journal records and unnamed sessions. Default: random UUIDs. */
  readonly createId?: () => string
}

/** Options of `createHermesHomes`: the options of each home, and limits on open homes. */
export interface HermesHomesOptions extends HermesOptions {
  readonly homes?: {
    /** Maximum number of homes open in this process. Above it, the least recently used home without running work is dropped. Default 1,000. */
    readonly maxOpen?: number
    /** Minutes after which an unused home without running work is dropped. Default 15. */
    readonly idleMinutes?: number
  }
}

const DEFAULT_MAX_OPEN_HOMES = 1_000
const DEFAULT_IDLE_MINUTES = 15
const DEFAULT_SESSION_RETAIN_DAYS = 30
const DEFAULT_SESSION_LOAD_TIMEOUT_MS = 5_000

/** The longest delay of a timer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

const JOURNAL_DAYS = "must be a whole number of days, 1 or more, or 'forever'"

const SHARED_STORAGE = `must be a storage back end, such as skillsFolder('/srv/team/skills')`

const STORAGE_METHODS = ['read', 'update', 'list', 'move', 'close'] as const

const isStorageBackend = (value: unknown): value is StorageBackend =>
  typeof value === 'object' && value !== null && STORAGE_METHODS.every((name) => typeof Reflect.get(value, name) === 'function')

const aFunction = <T>() => z.custom<T>((value) => typeof value === 'function', 'must be a function').optional()
const atLeast = (least: number, preset: number) => z.int().min(least).default(preset)
const timeout = (preset: number) => z.int().min(1).max(MAX_TIMEOUT_MS).default(preset)

/** Of `createHermes`. Schemas are built when they are first used: building all of them takes longer than loading this package. */
const optionsSchema = readOnce(() =>
  z.strictObject({
    storage: z.custom<StorageBackend>(
      isStorageBackend,
      `must be a storage back end, such as fileSystemBackend('~/.hermes') or inMemoryBackend()`,
    ),
    memory: z
      .strictObject({
        memoryEnabled: z.boolean().default(true),
        userProfileEnabled: z.boolean().default(true),
        memoryCharLimit: atLeast(0, DEFAULT_MEMORY_CHAR_LIMIT),
        userCharLimit: atLeast(0, DEFAULT_USER_CHAR_LIMIT),
        whenFull: z.enum(WHEN_FULL).optional(),
      })
      .prefault({}),
    skills: z
      .strictObject({
        enabled: z.boolean().default(true),
        catalog: z
          .strictObject({ stale: z.enum(['mark', 'hide']).default('mark'), charLimit: atLeast(0, DEFAULT_CATALOG_CHAR_LIMIT) })
          .prefault({}),
        shared: z.array(z.custom<StorageBackend>(isStorageBackend, SHARED_STORAGE)).default([]),
      })
      .prefault({}),
    nudge: z
      .strictObject({
        memoryInterval: atLeast(0, DEFAULT_MEMORY_NUDGE_INTERVAL),
        skillInterval: atLeast(0, DEFAULT_SKILL_NUDGE_INTERVAL),
        minTurns: atLeast(1, DEFAULT_MIN_TURNS),
      })
      .prefault({}),
    review: z
      .strictObject({
        mode: z.enum(['digest', 'replay']).default('digest'),
        model: aFunction<HostModel>(),
        maxInputTokens: atLeast(MIN_INPUT_TOKENS, DEFAULT_MAX_INPUT_TOKENS),
        maxOutputTokens: atLeast(1, DEFAULT_MAX_OUTPUT_TOKENS),
        maxSkillOutputTokens: atLeast(1, DEFAULT_MAX_SKILL_OUTPUT_TOKENS),
        timeoutMs: timeout(DEFAULT_TIMEOUT_MS),
        maxProposals: atLeast(1, DEFAULT_MAX_PROPOSALS),
        budget: z.number().gt(0).max(1).optional(),
        maxTokensPerDay: z.int().min(1).optional(),
      })
      .prefault({}),
    curator: curatorOptionsSchema(),
    gate: aFunction<ReviewGate>(),
    trust: z.enum(TRUST_LEVELS).default('balanced'),
    trustedTools: z.array(z.string()).default([]),
    sessions: z
      .strictObject({
        retainDays: atLeast(0, DEFAULT_SESSION_RETAIN_DAYS),
        keepText: z.boolean().default(true),
        loadTimeoutMs: timeout(DEFAULT_SESSION_LOAD_TIMEOUT_MS),
      })
      .prefault({}),
    journal: z
      .strictObject({
        retainDays: z
          .union([z.int(JOURNAL_DAYS).min(1, JOURNAL_DAYS), z.literal('forever')], JOURNAL_DAYS)
          .default(DEFAULT_JOURNAL_RETAIN_DAYS),
      })
      .prefault({}),
    actor: z.enum(['host', 'person']).default('host'),
    background: aFunction<(task: Promise<unknown>) => void>(),
    onEvent: aFunction<HermesEventListener>(),
    clock: aFunction<Clock>(),
    createId: aFunction<() => string>(),
  }),
)

/** Every option, with its default where it was left out. */
export type ResolvedHermesOptions = WithWhenFull<z.output<ReturnType<typeof optionsSchema.read>>>

type WithWhenFull<T extends { memory: { whenFull?: WhenFull | undefined } }> = T & { memory: { whenFull: WhenFull } }

const homesOptionsSchema = readOnce(() =>
  optionsSchema.read().extend({
    homes: z
      .strictObject({ maxOpen: atLeast(1, DEFAULT_MAX_OPEN_HOMES), idleMinutes: z.number().min(0).default(DEFAULT_IDLE_MINUTES) })
      .prefault({}),
  }),
)

/** What the schema accepts; a test compares it with `HermesHomesOptions`. */
export type HermesHomesInput = z.input<ReturnType<typeof homesOptionsSchema.read>>

/** Fills in defaults. Throws a TypeError that names an invalid or unknown option. */
export const resolveOptions = (options: HermesOptions): ResolvedHermesOptions =>
  withWhenFull(resolve('createHermes', optionsSchema.read(), options))

export const resolveHomesOptions = (options: HermesHomesOptions) =>
  withWhenFull(resolve('createHermesHomes', homesOptionsSchema.read(), options))

/** The default of `whenFull` depends on `trust`. */
const withWhenFull = <T extends { trust: TrustLevel; memory: { whenFull?: WhenFull | undefined } }>(options: T): WithWhenFull<T> => ({
  ...options,
  memory: { ...options.memory, whenFull: options.memory.whenFull ?? (options.trust === 'strict' ? 'hold' : 'evict') },
})

const resolve = <T>(caller: string, schema: z.ZodType<T>, options: unknown): T => {
  // Compiling the schema takes longer than walking it once.
  const resolved = schema.safeParse(options, { jitless: true })
  if (resolved.success) return resolved.data
  const problems = resolved.error.issues.map(({ path, message }) => (path.length > 0 ? `'${path.join('.')}': ${message}` : message))
  throw new TypeError(`${caller}: ${problems.join('; ')}. See docs/configuration.md in the package @hermes/core for every option.`)
}
