/** The port that says whether a changed skill works, asked after the gate and before the change is written (DESIGN 7). */
import type { HostModel } from '../model/host-model.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import type { SkillProposal } from '../proposal/review-proposal.ts'
import type { Clock } from '../shared/clock.ts'
import type { Origin } from '../shared/origin.ts'
import type { AskModel } from '../skills/checks/play-checks.ts'
import type { SkillStore } from '../skills/skill-store.ts'

export interface SkillEvaluation {
  /** `hold`: the change waits for a person. */
  readonly verdict: 'approve' | 'hold' | 'reject'
  /** For a user, in the journal. */
  readonly reason: string
  /** What was tried and what came of it, a line each. At most 20 lines of 300 characters are kept. */
  readonly evidence?: readonly string[]
}

export interface SkillEvaluationContext {
  readonly name: string
  /** Below the skills folder, such as `devops/deploy`. */
  readonly path: string
  /** The text files of the skill as they are, by their path in its folder, `SKILL.md` included; undefined for a new skill. */
  readonly before: ReadonlyMap<string, string> | undefined
  /** The same with the change. */
  readonly after: ReadonlyMap<string, string>
  /** The skills that a merge puts away for it, by name: their text files. Empty for any other change. */
  readonly replaces: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Whose words the change is based on, if the gate has determined it. */
  readonly origin: Origin | undefined
  /** Asks the model of reviews, within the limits of `skills.evaluation`. Undefined if there is no model. */
  readonly ask: AskModel | undefined
  /** Aborted if the time limit is reached or the review is cancelled. */
  readonly signal: AbortSignal
}

/**
 * Contract: `undefined` means that there is nothing to say, and the change is written. What it throws, an answer of another shape, and no answer within the time
 * limit are no verdict: `skills.evaluation.withoutVerdict` decides. Must not write the skill. Not called for what only archives a skill, or leaves its text as it is.
 */
export type SkillEvaluator = (
  proposal: SkillProposal,
  context: SkillEvaluationContext,
) => SkillEvaluation | undefined | Promise<SkillEvaluation | undefined>

interface SkillPlace {
  readonly name: string
  readonly path: string
}

export interface EvaluatedChange {
  readonly skill: SkillPlace
  readonly isNew: boolean
  /** The files that change, by their path in the skill's folder; undefined for one that is removed. */
  readonly files: ReadonlyMap<string, string | undefined>
  /** The skills that a merge puts away for it. Default: none. */
  readonly replaces?: readonly SkillPlace[]
}

/** An evaluator with its limits and its model. Undefined: there is nothing to say. */
export type EvaluateSkill = (
  proposal: SkillProposal,
  change: EvaluatedChange,
  store: SkillStore,
  origin: Origin | undefined,
) => Promise<SkillEvaluation | undefined>

/** The option `skills.evaluation`. */
export interface SkillEvaluationLimits {
  /** Milliseconds for one change. */
  readonly timeoutMs: number
  /** Tokens of all questions and answers of one change, estimated where the provider does not count them. */
  readonly maxTokens: number
  /** Undefined: `apply` for a change out of own words, `hold` for one from outside. */
  readonly withoutVerdict: 'apply' | 'hold' | undefined
}

export interface EvaluationSettings extends SkillEvaluationLimits {
  readonly evaluator: SkillEvaluator
}

/** What an evaluation is asked with. */
export interface EvaluationMeans {
  readonly model: HostModel | undefined
  readonly clock: Clock
  /** Aborted if the review is cancelled. */
  readonly signal?: AbortSignal | undefined
  /** Called for each change for which the model was called. */
  readonly onCost?: ((cost: LearningCost) => void) | undefined
}
