/** One scenario of the evaluation: sessions that are played word for word, and what memory should contain afterwards. */

/** A tool call with its result, or a call of the agent's own `memory` tool, which is executed. */
export type ScenarioStep =
  | readonly [tool: string, result: string]
  | { readonly remember: readonly [target: 'memory' | 'user', content: string] }

/** One user turn: what the user says and what the assistant answers, with the tool calls in between. */
export type ScenarioTurn =
  | readonly [user: string, answer: string]
  | { readonly user: string; readonly steps: readonly ScenarioStep[]; readonly answer: string }

export interface ScenarioSession {
  readonly turns: readonly ScenarioTurn[]
  /**
   * `quit`: the user leaves the chat, which ends the session however short it was. `end`: the host ends it. Default: the session stays
   * open.
   */
  readonly ends?: 'quit' | 'end'
  /** Maximum number of messages before the newest one that the host shows its model. Default all. */
  readonly window?: number
  /** Minutes since the previous session. Default 5. */
  readonly afterMinutes?: number
}

/** Matches a fact in one memory entry or in an answer; `match-text.ts` defines the form of a word. */
export interface FactPattern {
  /** All of these words must occur. */
  readonly all: readonly string[]
  /** None of these words may occur: tells a stale fact from a mention of the past. Default none. */
  readonly none?: readonly string[]
}

interface ScenarioQuestion {
  readonly ask: string
  readonly answer: FactPattern
}

export const SCENARIO_KINDS = ['fact', 'correction', 'contradiction', 'preference', 'budget', 'short', 'tools', 'plain'] as const

export type ScenarioKind = (typeof SCENARIO_KINDS)[number]

export interface Scenario {
  /** Unique; lower case with hyphens. */
  readonly id: string
  readonly kind: ScenarioKind
  /** Oldest first. */
  readonly sessions: readonly ScenarioSession[]
  /** Facts that the next session's prompt should contain. */
  readonly known: readonly FactPattern[]
  /** Facts that may have left the prompt but must still be in the prompt, in the archive, or pending. Default none beside `known`. */
  readonly kept?: readonly FactPattern[]
  /** Facts that the prompt must not contain any more. Default none. */
  readonly stale?: readonly FactPattern[]
  /** Asked in the next session. */
  readonly questions: readonly ScenarioQuestion[]
}

/** Minutes in a day and in a week. */
export const DAY = 24 * 60
export const WEEK = 7 * DAY
