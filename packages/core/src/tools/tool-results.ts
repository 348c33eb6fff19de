/** Results of the agent's tools: the JSON for the model, typed for hosts that show tool calls to a person. */
import type { MemoryTarget } from '../memory/memory-op.ts'
import type { SkillAction } from '../skills/skill-op.ts'
import type { SkillState } from '../usage/usage-record.ts'

/** Nothing was changed. Some refusals have further fields for the model, such as `current_entries`. */
export interface ToolRefusal {
  readonly success: false
  /** Message for the model. */
  readonly error: string
  /** True if no other call can succeed. */
  readonly done?: boolean
  /** A `HermesErrorCode`, or one of the tool's own: `similar`, `wiring`. */
  readonly code?: string
  /** Pending for a person, under `pending_id`. */
  readonly held?: true
  readonly pending_id?: string
  readonly [fact: string]: unknown
}

export type MemoryToolSuccess = {
  readonly success: true
  readonly done: true
  readonly target: MemoryTarget
  /** How full the store is: `<percent>% — <used>/<limit> chars`. */
  readonly usage: string
  readonly entry_count: number
  readonly message: string
  /** Entries that were replaced or removed. */
  readonly previous?: readonly string[]
}

export type MemoryToolResult = MemoryToolSuccess | ToolRefusal

export type ListedSkillResult = {
  readonly name: string
  readonly category?: string
  readonly description: string
  /** Absent for an active skill. */
  readonly state?: SkillState
  /** It can be loaded but not changed. */
  readonly shared?: true
}

export type SkillListSuccess = {
  readonly success: true
  readonly count: number
  readonly skills: readonly ListedSkillResult[]
  readonly message?: string
  /** Number of skills by category, if not all are listed. */
  readonly categories?: Readonly<Record<string, number>>
  readonly more_names?: readonly string[]
  readonly problems?: readonly string[]
}

export type SkillListToolResult = SkillListSuccess | ToolRefusal

/** A skill's instructions, or one of its files. */
export type SkillViewSuccess = {
  readonly success: true
  readonly name: string
  readonly path: string
  /** It cannot be changed. */
  readonly shared?: true
  /** Absent for a binary file. */
  readonly content?: string
  readonly truncated?: true
  readonly message?: string
  readonly description?: string
  readonly linked_files?: Readonly<Record<string, readonly string[]>>
  readonly file_path?: string
  readonly size_bytes?: number
}

export type SkillViewToolResult = SkillViewSuccess | ToolRefusal

export type SkillManageSuccess = {
  readonly success: true
  readonly done: true
  readonly action: SkillAction
  readonly name: string
  readonly path: string
  readonly file_path: string
  readonly message: string
}

export type SkillManageToolResult = SkillManageSuccess | ToolRefusal
