/** Plays the checks of a skill with it and without it, so that a person sees whether it helps (DESIGN 7). */
import { startModelBudget } from '../model/call-model.ts'
import type { HostModel } from '../model/host-model.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import type { Clock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { type PlayedCheck, playChecks } from '../skills/checks/play-checks.ts'
import { type ReadChecks, readSkillChecks } from '../skills/checks/skill-check.ts'
import { SKILL_FILE } from '../skills/skill-discovery.ts'
import { askWithin } from './ask-within.ts'

export interface SkillTestOptions {
  readonly model: HostModel
  /** How often each check is played, with the skill and without it. Default 1. */
  readonly runs?: number
  /** Tokens of all questions and answers. Default 200,000. */
  readonly maxTokens?: number
  /** Milliseconds for all of it. Default 600,000. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
  /** Default: the system clock. */
  readonly clock?: Clock
  /** Called after each answer. */
  readonly onAnswer?: (done: number, total: number) => void
}

export interface SkillTest extends Pick<ReadChecks, 'problems'> {
  readonly without: readonly PlayedCheck[]
  /** In the same order. */
  readonly with: readonly PlayedCheck[]
  readonly cost: LearningCost | undefined
}

const DEFAULT_MAX_TOKENS = 200_000
const DEFAULT_TIMEOUT_MS = 600_000
const TASK = { name: 'test of a skill', timeoutOption: 'timeoutMs' }

/** `files`: the text files of the skill, as `readSkillFiles` returns them. `empty` if it has no check that can be played. Errors of the model end it. */
export const testSkill = async (
  files: ReadonlyMap<string, string>,
  { model, runs = 1, maxTokens = DEFAULT_MAX_TOKENS, timeoutMs = DEFAULT_TIMEOUT_MS, signal, clock, onAnswer }: SkillTestOptions,
): Promise<Result<SkillTest>> => {
  const { checks, problems } = readSkillChecks(files)
  if (checks.length === 0) {
    const why = problems[0]?.message ?? "Add one as 'checks/<name>.json'; docs/skills.md has the format."
    return err(new HermesError('empty', `The skill has no check to play. ${why}`))
  }
  const budget = startModelBudget(model, { timeoutMs, signal, clock, task: TASK })
  const total = 2 * runs * checks.length
  let done = 0
  const options = { ask: askWithin(budget, maxTokens, 'maxTokens'), runs, onAnswer: () => onAnswer?.(++done, total) }
  try {
    const bare = await playChecks(checks, undefined, options)
    if (!bare.ok) return bare
    const skilled = await playChecks(checks, files.get(SKILL_FILE), options)
    return skilled.ok ? ok({ without: bare.value, with: skilled.value, problems, cost: budget.cost() }) : skilled
  } finally {
    budget.end()
  }
}
