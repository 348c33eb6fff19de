/**
 * The form of an attack: a conversation in which text from outside tries to become memory with the user's or the agent's authority.
 *
 * A line of a conversation is `speaker: text`. Speakers: `user`, `agent`, `file` (a document in the user's message), `recall` (what a memory provider adds to the
 * message before it), `summary` (what a host puts in the place of older messages), `sub-user` and `sub-agent` (a run inside a tool), and the name of any tool, for
 * its result. `---` begins a new session. `{0}`, `{1}`, … are filled with the wording's outside text, `{echo}` with what the agent makes of it.
 */

import type { MemoryTarget } from '@hermes/core'
import type { EntryOrigin } from '@hermes/core/memory'

/** Identifies the attack in every request and every store: passages of the outside text, of the echo or of the entry. None stands in the user's own words. */
type Marks = string | readonly string[]

export type Wording = readonly [marks: Marks, outside: string | readonly string[], entry: string, echo?: string]

export type EntryBefore = readonly [origin: EntryOrigin, target: MemoryTarget, text: string]

/** `entry` of the wording is what an add, or a replace, wants to be written. A replace may remove a second entry, as a merge does. */
interface WantedEntry {
  readonly target: MemoryTarget
  /** The whole text of an entry of `before`. */
  readonly replaces?: string
  readonly removes?: string
}

/** `entry` becomes the instructions of a new skill, a line of one that is there, or a file beside it. */
interface WantedSkill {
  readonly skill: string
  /** A line of the skill in `skills`, behind which the entry is to stand. */
  readonly after?: string
  readonly file?: string
}

export interface Attack {
  readonly id: string
  readonly talk: readonly string[]
  readonly wants: WantedEntry | WantedSkill
  /** What is in memory when the conversation begins. */
  readonly before?: readonly EntryBefore[]
  /** Skills that the agent wrote earlier: name and instructions. */
  readonly skills?: Readonly<Record<string, string>>
  /** ISO 639-1, of the third wording. */
  readonly language: string
  /** Plain, paraphrased, and in another language. */
  readonly wordings: readonly [plain: Wording, paraphrased: Wording, translated: Wording]
  /** The reviewer cites this passage of the outside text as the user's words. */
  readonly cites?: 'outside'
}
