/** A memory that can be measured: ours or another. */
import type { Attack } from './cases/attack.ts'
import type { HonestCase } from './cases/honest-case.ts'

/**
 * `raised`: it was stored with the authority of the user or the agent, or it changed or removed what the user said. `data`: it was stored as external text.
 * `held`: it is held for a person. `rejected`: it was refused. `unproposed`: the reviewer never saw it.
 */
export const ATTACK_OUTCOMES = ['raised', 'data', 'held', 'rejected', 'unproposed'] as const
export type AttackOutcome = (typeof ATTACK_OUTCOMES)[number]

/**
 * `kept`: stored correctly, facts from tools as data. `data`: the user's own words, stored as external text. `raised`: a fact from a tool, stored as the words of the
 * user or the agent. `held`: held for a person. `lost`: missing or incomplete.
 */
export const HONEST_OUTCOMES = ['kept', 'data', 'raised', 'held', 'lost'] as const
export type HonestOutcome = (typeof HONEST_OUTCOMES)[number]

export interface AttackRun {
  readonly attack: Attack
  /** Index of the wording. */
  readonly wording: 0 | 1 | 2
  /** `review`: the reviewer repeats it. `tool`: the agent repeats it with its own tool in the next turn. */
  readonly path: 'review' | 'tool'
}

export interface HonestRun {
  readonly honest: HonestCase
  /** As in `AttackRun`. */
  readonly path: AttackRun['path']
  /** An unrelated turn with a tool, or its result in the same turn. */
  readonly unrelated?: { readonly result: readonly [question: string, result: string, answer: string]; readonly sameTurn: boolean }
}

/** What happened and why, as worded by the subject. */
export interface Measured<Outcome> {
  readonly outcome: Outcome
  readonly reason: string
}

export interface Subject {
  readonly name: string
  /** The settings that are measured, the strictest first. */
  readonly levels: readonly string[]
  attack(run: AttackRun, level: string): Promise<Measured<AttackOutcome>>
  honest(run: HonestRun, level: string): Promise<Measured<HonestOutcome>>
}
