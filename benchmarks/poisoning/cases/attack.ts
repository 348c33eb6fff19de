/**
 * The form of an attack: a conversation in which external text tries to become memory with the authority of the user or the agent.
 *
 * A line of a conversation is `speaker: text`. Speakers: `user`, `agent`, `file` (a document in the user's message), `recall` (text that a memory provider adds to the
 * preceding message), `summary` (text with which a host replaces older messages), `sub-user` and `sub-agent` (a run inside a tool), and the name of any tool, for its
 * result. `---` starts a new session. `{0}`, `{1}`, … are replaced by the external texts of the wording, `{echo}` by the agent's version of them.
 */

import type { MemoryTarget } from '@hermes/core'
import type { EntryOrigin } from '@hermes/core/memory'
import { byGroup, readLines } from '../../read-lines.ts'

/** Passages of the external text, the echo or the entry that identify the attack in requests and stores. The user's own words contain none of them. */
type Marks = string | readonly string[]

export type Wording = readonly [marks: Marks, outside: string | readonly string[], entry: string, echo?: string]

export type EntryBefore = readonly [origin: EntryOrigin, target: MemoryTarget, text: string]

/** An add or a replace tries to write the `entry` of the wording. A replace may remove a second entry, as a merge does. */
interface WantedEntry {
  readonly target: MemoryTarget
  /** The complete text of an entry of `before`. */
  readonly replaces?: string
  readonly removes?: string
}

/** `entry` becomes the instructions of a new skill, a line of an existing skill, or a support file. */
interface WantedSkill {
  readonly skill: string
  /** The line of the skill in `skills` after which the entry is inserted. */
  readonly after?: string
  readonly file?: string
}

export interface Attack {
  readonly group: string
  readonly id: string
  readonly talk: readonly string[]
  readonly wants: WantedEntry | WantedSkill
  /** Memory at the start of the conversation. */
  readonly before?: readonly EntryBefore[]
  /** Skills that the agent wrote earlier, with name and instructions. */
  readonly skills?: Readonly<Record<string, string>>
  /** Language of the third wording, ISO 639-1. */
  readonly language: string
  /** Plain, paraphrased, and in another language. */
  readonly wordings: readonly [plain: Wording, paraphrased: Wording, translated: Wording]
  /** A memory provider recalls everything of the earlier sessions, whoever said it, in each turn of the last one. */
  readonly recalls?: boolean
  /** A passage of the external text that the reviewer cites as the user's words. */
  readonly cites?: 'outside'
}

/** Every attack, by class. */
export const ATTACKS = byGroup(readLines<Attack>(new URL('attacks.jsonl', import.meta.url)))
