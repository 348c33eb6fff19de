/** Every option of `createHermes`, with its unit and its default; docs/configuration.md has a line on each. */
import type { HermesCuratorOptions } from './curator/curator-options.ts'
import type { SkillEvaluator } from './evaluation/skill-evaluator.ts'
import type { TrustLevel } from './gate/gates.ts'
import type { ReviewGate } from './gate/review-gate.ts'
import type { OwnerId } from './homes/owner.ts'
import type { HostActor } from './journal/host-recorder.ts'
import type { WhenFull } from './memory/memory-store-options.ts'
import type { ProfileSchema } from './memory/profile-schema.ts'
import type { HostModel } from './model/host-model.ts'
import type { MemoryProvider } from './provider/memory-provider.ts'
import type { ReviewQueue } from './queue/review-queue.ts'
import type { HermesEventListener } from './session/hermes-event.ts'
import type { TrustedTool } from './session/tool-trust.ts'
import type { Clock } from './shared/clock.ts'
import type { StorageBackend } from './storage/storage-backend.ts'

export interface HermesOptions<Schema extends ProfileSchema = ProfileSchema> {
  /** Stores all documents: `fileSystemBackend('~/.hermes')`, `inMemoryBackend()` or your own. */
  readonly storage: StorageBackend
  /**
   * The project of sessions that name none: the notes on it are the store `project`. One of 1 to 200 characters, such as the name of a repository. Default none: the
   * home then has no such store.
   */
  readonly project?: string
  /**
   * The user's time zone, such as `Europe/Lisbon`: on which day a fact that holds for a time begins and ends, and what "Friday" means to a review. For
   * `createHermesHomes` also a function that is asked for each home. Default: that of the system.
   */
  readonly timeZone?: string | ((owner: OwnerId | undefined) => string)
  /**
   * The fields that your app wants to know of its user: any Standard Schema of an object, such as `z.object({ name: z.string(), diet: z.enum(['vegan', 'none']).optional() })`.
   * Reviews propose values, the block shows them, `hermes.profile` reads and writes them. At most 100 fields of at most 600 characters each; no asynchronous checks. If the
   * schema has no JSON schema, only your code writes fields. Default none.
   */
  readonly profile?: Schema
  readonly memory?: {
    /** Offer MEMORY.md, the agent's own notes. Default true. */
    readonly memoryEnabled?: boolean
    /** Offer USER.md, who the user is. Default true. */
    readonly userProfileEnabled?: boolean
    /** Maximum code points of MEMORY.md, including delimiters; at most 32,768. Default 2200. */
    readonly memoryCharLimit?: number
    /** Maximum code points of USER.md, including delimiters; at most 32,768. Default 1375. */
    readonly userCharLimit?: number
    /** Maximum code points of the MEMORY.md of a project, including delimiters; at most 32,768. Default 2200. */
    readonly projectCharLimit?: number
    /**
     * What happens to an accepted change that does not fit. `evict`: entries whose origin is trusted no more than that of the change are archived, the least trusted
     * first, then the one confirmed longest ago; never an entry that is pinned or was written by hand. `hold`: the change is held for a person. Default `evict`; with
     * trust `strict`, `hold`.
     */
    readonly whenFull?: WhenFull
    /**
     * Read-only storages with notes that a team shares: their MEMORY.md, such as of `notesFolder('/srv/team/notes')`. Shown in a section of their own, never changed by a
     * session, and never the user's words. `close()` does not close them. Default none.
     */
    readonly shared?: readonly StorageBackend[]
    /** Maximum code points of the section of shared notes, including its heading; at most 32,768; 0 = not shown. Default 2200. */
    readonly sharedCharLimit?: number
    /**
     * True: you vouch for the shared notes. Default false: they are text from outside, so that in sessions which show them only the user's own words have their authority.
     */
    readonly trustShared?: boolean
    /** The external memory provider, at most one. It is opened for each home at its first use. Default none. */
    readonly provider?: MemoryProvider
    /** Milliseconds for each call of the provider: the most that a slow one can delay a turn. Default 1,500. */
    readonly providerTimeoutMs?: number
    /** Maximum UTF-16 characters that the provider recalls for a turn, at most 16,000; 0 = recalls nothing. Default 1,600. */
    readonly recallChars?: number
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
     * Says whether a changed skill works, after the gate and before it is written: tests, a verifier, a judge, or `skillChecks()` of `@hermes/core/skills`, which plays the
     * skill's own checks. Asked for changes by reviews and by the agent, and for merges. Default: none.
     */
    readonly evaluate?: SkillEvaluator
    /** Limits of `evaluate`, for each change. */
    readonly evaluation?: {
      /** Milliseconds. Default 60,000. */
      readonly timeoutMs?: number
      /** Tokens of all questions to the model and their answers. Default 50,000. */
      readonly maxTokens?: number
      /** What becomes of a change if the evaluator fails or takes too long. Default: `apply` if it is based on own words, `hold` if it comes from outside. */
      readonly withoutVerdict?: 'apply' | 'hold'
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
    /**
     * `automatic`: a due review runs behind the turn. `manual`: none starts by itself, for a host that starts a process for it: ask `hermes.reviewDue()`, then call
     * `hermes.review()` there. Default `automatic`.
     */
    readonly start?: 'automatic' | 'manual'
    /** A model for reviews only. Default: the model of the host. */
    readonly model?: HostModel
    /**
     * Maximum input of the reviewer in estimated tokens, 4,000 or more. After text from outside a review has two passes, which share it; the
     * second has at least 4,000. Default 24,000.
     */
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
    /**
     * Due reviews are added here instead of running behind the turn, and a worker runs them: `homes.work()`, `hermes.work()` or `hermes worker`. Needs `sessions.keepText`.
     * `close()` does not close it. Default: none.
     */
    readonly queue?: ReviewQueue
  }
  /** The upkeep of skills: when it runs, what ages, what is merged. Runs only when the host calls `hermes.curator`. */
  readonly curator?: HermesCuratorOptions
  /** Decides on every proposal. Default `everyGate(scoreThresholdGate(0.7), evidenceGate({ trust }))`. */
  readonly gate?: ReviewGate
  /** Trust level of the default gate; has no effect on a `gate` of your own. Default `balanced`. */
  readonly trust?: TrustLevel
  /**
   * Tools that you vouch for: their results are not text from outside. A name, or `{ name, description }` such as a tool object of LangChain, which counts only
   * where the call offers a tool of that name with that description. Default none.
   */
  readonly trustedTools?: readonly TrustedTool[]
  readonly sessions?: {
    /** Days after which an unused session record is removed; 0 = never. Default 30. */
    readonly retainDays?: number
    /** Store the text of unread turns, with credentials redacted, until a review has read it. `false`: a review reads only the messages that the host passes. Default true. */
    readonly keepText?: boolean
    /** Milliseconds that a turn waits for the storage at its start, after which the session runs without memory, and that a tool of the agent waits. Default 5,000. */
    readonly loadTimeoutMs?: number
    /**
     * Maximum code points of a session's frozen text: both stores, the catalogue and the text of the memory provider, whatever the files of the home hold. Default: the
     * limits of the stores and of the catalogue, doubled; at least 8,000.
     */
    readonly maxBlockChars?: number
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
export interface HermesHomesOptions<Schema extends ProfileSchema = ProfileSchema> extends HermesOptions<Schema> {
  readonly homes?: {
    /** Maximum number of homes open in this process. Above it, the least recently used home without running work is dropped. Default 1,000. */
    readonly maxOpen?: number
    /** Minutes after which an unused home without running work is dropped. Default 15. */
    readonly idleMinutes?: number
  }
}
