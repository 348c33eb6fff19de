/** The memory operation and its outcome, as named in seed 002. */
import type { Origin } from '../shared/origin.ts'

/** The stores of a person. */
export const HOME_TARGETS = ['memory', 'user'] as const
export const MEMORY_TARGETS = [...HOME_TARGETS, 'project', 'profile'] as const

export type HomeTarget = (typeof HOME_TARGETS)[number]

/**
 * `memory`: the agent's own notes (MEMORY.md). `user`: facts about the user (USER.md). `project`: notes on one project, which no other project sees. `profile`: the
 * fields of a typed profile of the user (PROFILE.json), each an entry such as `diet: "vegan"`.
 */
export type MemoryTarget = (typeof MEMORY_TARGETS)[number]

/** A value for each store; for the one of a project only where a project is named, for the profile only where there is a schema of it. */
export type ByTarget<T> = Readonly<Record<HomeTarget, T>> & { readonly [Target in Exclude<MemoryTarget, HomeTarget>]?: T | undefined }

/** The stores in a person's home, whether or not a schema of the profile is known. */
export const PERSON_TARGETS: readonly MemoryTarget[] = [...HOME_TARGETS, 'profile']

/** What decides which stores there are: a `MemoryStore`, or values of each. */
type Stores = Partial<Readonly<Record<Exclude<MemoryTarget, HomeTarget>, unknown>>>

export const targetsOf = ({ project, profile }: Stores): readonly MemoryTarget[] => [
  ...HOME_TARGETS,
  ...(project === undefined ? [] : (['project'] as const)),
  ...(profile === undefined ? [] : (['profile'] as const)),
]

/** The same for all of these stores. */
export const byTarget = <T>(stores: Stores, make: (target: MemoryTarget) => T): ByTarget<T> =>
  Object.fromEntries(targetsOf(stores).map((target) => [target, make(target)])) as Readonly<Record<MemoryTarget, T>>

export const MEMORY_ACTIONS = ['add', 'replace', 'remove'] as const

export type MemoryAction = (typeof MEMORY_ACTIONS)[number]

/** The days on which an entry holds, both included, such as `2026-12-04`: calendar days of the user's time zone. Without them it always holds. */
export interface EntryTime {
  readonly from?: string | undefined
  readonly until?: string | undefined
}

/** The days are those of the new entry; an add without any leaves those of an entry that stands. */
export type MemoryOp =
  | ({ readonly action: 'add'; readonly content: string } & EntryTime)
  | ({ readonly action: 'replace'; readonly oldText: string; readonly content: string } & EntryTime)
  | { readonly action: 'remove'; readonly oldText: string }

export const isMemoryTarget = (value: unknown): value is MemoryTarget => MEMORY_TARGETS.some((target) => target === value)

/** Maximum UTF-16 units of a proposed text, far above any store's limit: longer texts are not judged. */
export const MAX_OP_CHARS = 16_000

/** UTF-16 units of its longest text; cheap for any length. */
export const longestOpText = (op: MemoryOp): number =>
  Math.max(op.action === 'add' ? 0 : op.oldText.length, op.action === 'remove' ? 0 : op.content.length)

export interface MemoryOpOutcome {
  readonly target: MemoryTarget
  /** Whose store it is, for the target `project`. */
  readonly project?: string
  readonly message: string
  readonly entryCount: number
  /** Code points of the joined text, delimiters included. */
  readonly usedChars: number
  readonly charLimit: number
  /** `<pct>% — <used>/<limit> chars`, as in the snapshot's header. */
  readonly usage: string
  /** Full text of the entries that replace and remove took away, in the order of the operations. */
  readonly previous: readonly string[]
  /** Entries archived to make room, the least valuable first; missing if there were none. */
  readonly evicted?: readonly EvictedEntry[]
  /** For each operation, in order: origin and times of the entries it removed or wrote. A `MemoryStore` always sets it. */
  readonly facts?: readonly OpFacts[]
  /** Path of the copy of the former file, if its white space was tidied for this write. */
  readonly backupPath?: string
}

/** `external`: a hand edit, another program, or a caller without a source. */
export type EntryOrigin = Origin | 'external'

export interface EntryDates extends EntryTime {
  readonly origin: EntryOrigin
  /** Epoch milliseconds; 0 if not recorded, as for hand-written entries. */
  readonly firstSeenAt: number
  /** Epoch milliseconds; 0 if not recorded. Updated when the same text is added again. */
  readonly lastConfirmedAt: number
  /** Pinned by a person: never evicted, and neither a review nor the agent's tool changes it. */
  readonly pinned?: true | undefined
}

export interface EntryFacts extends EntryDates {
  readonly entry: string
}

/** The entries that one operation changed. */
export interface OpFacts {
  /** The entry that a replace or remove took away, or to which an add gave another origin or other days, as it was before. */
  readonly previous?: EntryDates
  /** The entry that an add or replace wrote or confirmed, as it is afterwards. */
  readonly content?: EntryDates
}

/** Whether an `add` wrote nothing new: the entry was there with the same origin, and only its date changed. A new entry was first seen when it was last confirmed. */
export const isConfirmation = (
  { action }: { readonly action: string },
  { previous, content }: { readonly [Key in keyof OpFacts]?: OpFacts[Key] | undefined } = {},
): boolean => {
  const { firstSeenAt = 0, lastConfirmedAt = 0 } = content ?? {}
  return action === 'add' && previous === undefined && firstSeenAt > 0 && lastConfirmedAt > firstSeenAt
}

/** An entry that was archived to make room for another. */
export interface EvictedEntry {
  readonly text: string
  /** Never `external`: hand-written entries are not evicted. */
  readonly origin: Origin
}
