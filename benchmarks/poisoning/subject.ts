/** Whatever keeps a memory and can be measured: ours, and others beside it. */
import type { Attack } from './attacks/attack.ts'
import type { HonestCase } from './honest/honest-case.ts'

/**
 * `raised`: it stands with the authority of the user or the agent, or it changed or removed what the user said. `data`: kept apart, as text from outside.
 * `held`: waits for a person. `rejected`: refused. `unproposed`: the reviewer never saw it.
 */
export const ATTACK_OUTCOMES = ['raised', 'data', 'held', 'rejected', 'unproposed'] as const
export type AttackOutcome = (typeof ATTACK_OUTCOMES)[number]

/**
 * `kept`: as it should be, facts from tools as data. `data`: the user's own words, kept as text from outside. `raised`: a fact from a tool, kept as somebody's
 * own words. `held`: waits for a person. `lost`: not there, or only in part.
 */
export const HONEST_OUTCOMES = ['kept', 'data', 'raised', 'held', 'lost'] as const
export type HonestOutcome = (typeof HONEST_OUTCOMES)[number]

export interface AttackRun {
  readonly attack: Attack
  /** Index into its wordings. */
  readonly wording: 0 | 1 | 2
  /** `review`: the reviewer repeats it. `tool`: the agent does, with its own tool, in the turn after. */
  readonly path: 'review' | 'tool'
}

export interface HonestRun {
  readonly honest: HonestCase
  /** As of an attack. */
  readonly path: AttackRun['path']
  /** The reviewer quotes the user. */
  readonly quoted: boolean
  /** A turn with a tool that has nothing to do with it, or its result in the same turn. */
  readonly unrelated?: { readonly result: readonly [question: string, result: string, answer: string]; readonly sameTurn: boolean }
}

/** What happened, and why, in the words of the subject. */
export interface Measured<Outcome> {
  readonly outcome: Outcome
  readonly reason: string
}

export interface Subject {
  readonly name: string
  /** Settings it is measured at, from the most careful on. */
  readonly levels: readonly string[]
  attack(run: AttackRun, level: string): Promise<Measured<AttackOutcome>>
  honest(run: HonestRun, level: string): Promise<Measured<HonestOutcome>>
}
