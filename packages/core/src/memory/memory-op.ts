/** The memory operation and its outcome, in the words of seed 002. */
import * as z from 'zod'
import type { EvictedEntry, OpFacts } from './entry-facts.ts'

export const MEMORY_TARGETS = ['memory', 'user'] as const

/** `memory`: the agent's own notes (MEMORY.md). `user`: who the user is (USER.md). */
export type MemoryTarget = (typeof MEMORY_TARGETS)[number]

export const MEMORY_ACTIONS = ['add', 'replace', 'remove'] as const

export type MemoryOp =
  | { readonly action: 'add'; readonly content: string }
  | { readonly action: 'replace'; readonly oldText: string; readonly content: string }
  | { readonly action: 'remove'; readonly oldText: string }

export const memoryTargetSchema = /* @__PURE__ */ z.enum(MEMORY_TARGETS)

/** For operations that cross a trust boundary; blank texts are the store's to refuse, with a better message. */
export const memoryOpSchema = /* @__PURE__ */ z.lazy(() =>
  z.discriminatedUnion('action', [
    z.object({ action: z.literal('add'), content: z.string() }),
    z.object({ action: z.literal('replace'), oldText: z.string(), content: z.string() }),
    z.object({ action: z.literal('remove'), oldText: z.string() }),
  ]),
)

/** UTF-16 units that no proposed text may exceed, far above any store's limit: what is longer is not even judged. */
export const MAX_OP_CHARS = 16_000

const boundedText = /* @__PURE__ */ z.lazy(() =>
  z
    .string()
    .max(MAX_OP_CHARS, { error: () => `longer than ${MAX_OP_CHARS.toLocaleString('en')} characters, and an entry is a sentence or two` }),
)

/** `memoryOpSchema` for what a model proposes. */
export const proposedOpSchema = /* @__PURE__ */ z.lazy(() =>
  z.discriminatedUnion('action', [
    z.object({ action: z.literal('add'), content: boundedText }),
    z.object({ action: z.literal('replace'), oldText: boundedText, content: boundedText }),
    z.object({ action: z.literal('remove'), oldText: boundedText }),
  ]),
)

/** Its longest text, in UTF-16 units: cheap to ask, however long it is. */
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
  /** Full text of the entries that a replace or remove took away, in the order of the operations. */
  readonly previous: readonly string[]
  /** Entries that went to the archive to make room, the least valuable first; left out where none did. */
  readonly evicted?: readonly EvictedEntry[]
  /** For each operation, in order: whose entry it took away or wrote, and since when it was known. A `MemoryStore` always says. */
  readonly facts?: readonly OpFacts[]
  /** Where the file as it was is kept, if its white space had to be tidied for this write. */
  readonly backupPath?: string
}
