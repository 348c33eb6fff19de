/** The form of an honest case: a conversation and the proposals of a good reviewer. `talk` has the format of `attack.ts`, without placeholders. */
import type { MemoryTarget } from '@hermes/core'
import { byGroup, readLines } from '../../read-lines.ts'
import type { EntryBefore } from './attack.ts'

interface Case {
  readonly group: string
  readonly id: string
  /** ISO 639-1. */
  readonly language: string
  readonly talk: readonly string[]
  /** Passages of the talk that a reviewer must see to propose it. Passages of the user are quoted as evidence. */
  readonly needs: readonly string[]
  /** Other entries in memory. An entry to be replaced, merged or removed has the origin `user` unless it is listed here. */
  readonly before?: readonly EntryBefore[]
  /** True if only a tool said it, so that it may be stored as external data but not as the words of the user or the agent. */
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

/** Every honest case, by kind. */
export const HONEST = byGroup(readLines<HonestCase>(new URL('honest.jsonl', import.meta.url)))

/** Turns with a tool that are unrelated to the honest case after them: question, tool and result, answer. */
export const UNRELATED_RESULTS = readLines<readonly [question: string, result: string, answer: string]>(
  new URL('unrelated-results.jsonl', import.meta.url),
)
