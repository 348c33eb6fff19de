/** The memory operation and its outcome, as named in seed 002. */
import type { EvictedEntry, OpFacts } from './entry-facts.ts'

export const MEMORY_TARGETS = ['memory', 'user'] as const

/** `memory`: the agent's own notes (MEMORY.md). `user`: facts about the user (USER.md). */
export type MemoryTarget = (typeof MEMORY_TARGETS)[number]

export const MEMORY_ACTIONS = ['add', 'replace', 'remove'] as const

export type MemoryAction = (typeof MEMORY_ACTIONS)[number]

export type MemoryOp =
  | { readonly action: 'add'; readonly content: string }
  | { readonly action: 'replace'; readonly oldText: string; readonly content: string }
  | { readonly action: 'remove'; readonly oldText: string }

export const isMemoryTarget = (value: unknown): value is MemoryTarget => MEMORY_TARGETS.some((target) => target === value)

/** Maximum UTF-16 units of a proposed text, far above any store's limit: longer texts are not judged. */
export const MAX_OP_CHARS = 16_000

/** UTF-16 units of its longest text; cheap for any length. */
export const longestOpText = (op: MemoryOp): number =>
  Math.max(op.action === 'add' ? 0 : op.oldText.length, op.action === 'remove' ? 0 : op.content.length)

export interface MemoryOpOutcome {
  readonly target: MemoryTarget
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
