/** What one scenario of the evaluation is: sessions that are played word for word, and what memory should hold at their end. */

/** A call of a tool with what it answers, or of the agent's own `memory` tool, which is run. */
export type ScenarioStep =
  | readonly [tool: string, result: string]
  | { readonly remember: readonly [target: 'memory' | 'user', content: string] }

/** One user turn: what the person says and what a plain assistant answers, with the tools it calls in between. */
export type ScenarioTurn =
  | readonly [user: string, answer: string]
  | { readonly user: string; readonly steps: readonly ScenarioStep[]; readonly answer: string }

export interface ScenarioSession {
  readonly turns: readonly ScenarioTurn[]
  /** `quit`: the person leaves the chat, which ends it however short it was. `end`: the host ends it. Default: nothing more is said in it. */
  readonly ends?: 'quit' | 'end'
  /** Messages of the conversation that the host shows its model before the newest one. Default all. */
  readonly window?: number
  /** Minutes between the session before and this one. Default 5. */
  readonly afterMinutes?: number
}

/** Recognises a fact in one entry of memory, or in an answer; see `match-text.ts` for the form of a word. */
export interface FactPattern {
  /** All of these words occur. */
  readonly all: readonly string[]
  /** None of these occurs: what tells a stale fact from a mention of the past. Default none. */
  readonly none?: readonly string[]
}

export interface ScenarioQuestion {
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
  /** What the prompt of the next session should show. */
  readonly known: readonly FactPattern[]
  /** What may have left the prompt, but not the home: it is in the prompt, in the archive, or waits for a person. Default none beside `known`. */
  readonly kept?: readonly FactPattern[]
  /** What the prompt must not show any more. Default nothing. */
  readonly stale?: readonly FactPattern[]
  /** Asked in the next session. */
  readonly questions: readonly ScenarioQuestion[]
}

/** Minutes of a day, and of a week. */
export const DAY = 24 * 60
export const WEEK = 7 * DAY
