/** The evaluator that plays a skill's own checks before and after a change (DESIGN 7). */
import { HermesError } from '../shared/hermes-error.ts'
import { type AskModel, countPassed, type PlayedCheck, playChecks } from '../skills/checks/play-checks.ts'
import { type NamedCheck, readSkillChecks, type SkillCheck } from '../skills/checks/skill-check.ts'
import { SKILL_FILE } from '../skills/skill-discovery.ts'
import type { SkillEvaluation, SkillEvaluationContext, SkillEvaluator } from './skill-evaluator.ts'

export interface SkillChecksOptions {
  /** How often each check is played with each version. Default 1. */
  readonly runs?: number
  /** Further checks for a skill, which the agent can neither read nor change. Default: none. */
  readonly heldOut?: (skill: { readonly name: string; readonly path: string }) => readonly SkillCheck[]
}

const NO_FILES: ReadonlyMap<string, string> = new Map()

/** The SKILL.md that answered a check before: of the skill that a merge takes it from, else of the skill itself. */
const formerOf = ({ path }: NamedCheck, { before = NO_FILES, after, replaces }: SkillEvaluationContext): string | undefined => {
  const text = after.get(path)
  const source = before.has(path)
    ? undefined
    : [...replaces.values()].find((files) => text !== undefined && [...files.values()].includes(text))
  return (source ?? before).get(SKILL_FILE)
}

/** Each check with the text that answered it before, in the order of the checks. Undefined if that is the text that answers them now. */
const playBefore = async (
  checks: readonly NamedCheck[],
  context: SkillEvaluationContext,
  options: { readonly ask: AskModel; readonly runs: number },
): Promise<readonly PlayedCheck[] | undefined> => {
  const former = new Map(checks.map((check) => [check, formerOf(check, context)]))
  if ([...former.values()].every((text) => text === context.after.get(SKILL_FILE))) return undefined
  const played = new Map<SkillCheck, PlayedCheck>()
  for (const text of new Set(former.values())) {
    const answered = await playChecks(
      checks.filter((check) => former.get(check) === text),
      text,
      options,
    )
    if (!answered.ok) throw answered.error
    for (const each of answered.value) played.set(each.check, each)
  }
  return checks.flatMap((check) => played.get(check) ?? [])
}

const describe = (after: PlayedCheck, before: PlayedCheck | undefined): string => {
  const { check, answers } = after
  const count = (played: PlayedCheck) => `${countPassed([played])} of ${played.answers.length}`
  const [worst] = answers.filter(({ passed }) => !passed)
  const why = worst ? [...worst.missing.map((text) => `lacks '${text}'`), ...worst.forbidden.map((text) => `has '${text}'`)] : []
  return `${check.path}: passed ${before ? `${count(before)} before, ` : ''}${count(after)} after${why.length > 0 ? ` (${why.join(', ')})` : ''}`
}

/** A check that is played may be neither weakened nor removed by the change that it tests, nor displaced by others. */
const changesCheck = ({ before = NO_FILES, after }: SkillEvaluationContext, own: readonly NamedCheck[]): string | undefined => {
  const played = new Set(own.map(({ path }) => path))
  return readSkillChecks(before).checks.find(({ path }) => !played.has(path) || after.get(path) !== before.get(path))?.path
}

/**
 * An evaluator for `skills.evaluate`. A change that makes the skill's checks worse waits for a person, and so does one of a check. A new skill is compared with
 * having none. Checks by the author of the change prove nothing alone: they only hold back, and never make the gate more willing.
 */
export const skillChecks =
  ({ runs = 1, heldOut }: SkillChecksOptions = {}): SkillEvaluator =>
  async (_proposal, context): Promise<SkillEvaluation | undefined> => {
    const { before, after, replaces, ask, name, path } = context
    const own = readSkillChecks(after).checks
    const changed = changesCheck(context, own)
    if (changed !== undefined)
      return { verdict: 'hold', reason: `It changes the check '${changed}' of the skill, or displaces it, so a person decides.` }
    const further = heldOut?.({ name, path }) ?? []
    const checks = [...own, ...further.map((check, index) => ({ ...check, path: `held-out check ${index + 1}` }))]
    if (checks.length === 0) return undefined
    if (!ask) throw new HermesError('model', "There is no model to play its checks with. Set 'review.model' in createHermes.")
    const played = await playChecks(checks, after.get(SKILL_FILE), { ask, runs })
    if (!played.ok) throw played.error
    const earlier = await playBefore(checks, context, { ask, runs })
    const evidence = played.value.map((each, index) => describe(each, earlier?.[index]))
    const total = checks.length * runs
    const passed = countPassed(played.value)
    if (!earlier) return { verdict: 'approve', reason: `The skill passes ${passed} of ${total} of its checks.`, evidence }
    const passedBefore = countPassed(earlier)
    const isFirst = before === undefined && replaces.size === 0
    const figures = `${passedBefore} of ${total} passed ${isFirst ? 'without the skill' : 'before'}, ${passed} after`
    return passed < passedBefore
      ? { verdict: 'hold', reason: `The change makes the checks worse: ${figures}. A person decides.`, evidence }
      : { verdict: 'approve', reason: `Checks: ${figures}.`, evidence }
  }
