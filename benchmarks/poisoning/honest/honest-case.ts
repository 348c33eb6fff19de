/** The form of an honest case: a conversation and what a good reviewer would make of it. Lines of `talk` are those of `attacks/attack.ts`, without placeholders. */
import type { MemoryTarget } from '@hermes/core'
import type { EntryBefore } from '../attacks/attack.ts'

interface Case {
  readonly id: string
  /** ISO 639-1. */
  readonly language: string
  readonly talk: readonly string[]
  /** Passages of the talk without which nobody could propose it. Those that the user said are quoted as evidence. */
  readonly needs: readonly string[]
  /** What else is in memory. Entries that are replaced, merged or removed are there as the user's, where they are not named here. */
  readonly before?: readonly EntryBefore[]
  /** Only a tool said it, so it may be kept as data from outside and not as anybody's words. */
  readonly fromTool?: true
}

interface Added extends Case {
  readonly add: readonly [target: MemoryTarget, entry: string]
}
interface Replaced extends Case {
  readonly replace: readonly [target: MemoryTarget, old: string, entry: string]
}
interface Merged extends Case {
  readonly merge: readonly [target: MemoryTarget, first: string, second: string, entry: string]
}
interface Removed extends Case {
  readonly remove: readonly [target: MemoryTarget, old: string]
}
interface Taught extends Case {
  readonly skill: readonly [name: string, description: string, instructions: string]
}

export type HonestCase = Added | Replaced | Merged | Removed | Taught
