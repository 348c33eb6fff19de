/** One group of a consolidation: question, rules, changes, and the note that it is settled. */
import type { ConsolidationStop } from '../curator/report/consolidation-report.ts'
import type { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { carryOutPruning, carryOutUmbrella } from './apply/carry-out.ts'
import { type ConsolidationLibrary, readConsolidationLibrary, readShown, type ShownSkill } from './library.ts'
import { planConsolidation } from './plan/rules.ts'
import { type ConsolidationAnswer, parseConsolidationAnswer } from './propose/answer.ts'
import { type ConsolidationQuestion, cannotBeShown, toQuestion } from './propose/ask.ts'
import type { ConsolidationGroup } from './propose/groups.ts'
import { markOfGroup, markOfSkill, settleGroups } from './propose/settled.ts'
import type { ConsolidationPass } from './run.ts'

const settle = async (marks: readonly string[], answered: boolean, { dryRun, storage, clock, run }: ConsolidationPass): Promise<void> => {
  if (dryRun || marks.length === 0) return
  const settled = await settleGroups(storage, marks, answered, clock())
  if (!settled.ok) run.problems.push(settled.error)
}

/** Marks the remaining skills of the group as settled too: they are not sent again unless they change. */
const marksAfter = async (
  shown: readonly ShownSkill[],
  created: readonly string[],
  pass: ConsolidationPass,
): Promise<readonly string[]> => {
  const library = await readConsolidationLibrary(pass)
  if (!library.ok) return []
  const names = new Set([...shown.map(({ name }) => name), ...created])
  const left = await readShown(
    pass.storage,
    [...library.value.mergeable.values()].filter(({ name }) => names.has(name)),
  )
  return left.ok && left.value.length > 1 ? [markOfGroup(left.value.map((skill) => markOfSkill(skill, skill.text)))] : []
}

const carryOut = async (
  answer: ConsolidationAnswer,
  shown: readonly ShownSkill[],
  library: ConsolidationLibrary,
  pass: ConsolidationPass,
): Promise<Result<void>> => {
  const { run, staleAfterDays, clock } = pass
  const byName = new Map(shown.map((skill) => [skill.name, skill]))
  const plan = planConsolidation({ answer, shown: byName, library, now: clock(), staleAfterDays })
  run.refused.push(...plan.refused)
  let outcome: Result<void> = ok(undefined)
  const goesOn = (): boolean => outcome.ok && !pass.signal?.aborted
  for (const umbrella of plan.umbrellas) if (goesOn()) outcome = await carryOutUmbrella(umbrella, pass)
  for (const pruning of plan.prunings) if (goesOn()) outcome = await carryOutPruning(pruning, pass)
  return outcome
}

const toStop = (error: HermesError, signal: AbortSignal | undefined): ConsolidationStop =>
  error.code === 'timeout' ? (signal?.aborted ? 'aborted' : 'time') : 'model'

const askAbout = async (
  group: ConsolidationGroup,
  question: ConsolidationQuestion,
  library: ConsolidationLibrary,
  pass: ConsolidationPass,
): Promise<Result<void>> => {
  const { run, asker, step, signal } = pass
  const renewed = step ? await step.renew() : ok(undefined)
  if (!renewed.ok) return renewed
  run.asked += 1
  const spoken = await asker.ask(question)
  if (!spoken.ok) {
    run.stopped = toStop(spoken.error, signal)
    run.left += 1
    run.problems.push(spoken.error)
    // A group that always fails must not block those after it.
    if (run.stopped !== 'aborted') await settle([group.mark], false, pass)
    return ok(undefined)
  }
  const answer = parseConsolidationAnswer(spoken.value)
  if (!answer.ok) {
    const names = question.shown.map(({ name }) => name)
    run.refused.push({ kind: 'answer', names, into: undefined, why: answer.error.message })
    await settle([group.mark], false, pass)
    return ok(undefined)
  }
  if (answer.value.prose !== '') run.words.push(answer.value.prose)
  const created = run.created.length
  const refused = run.refused.length
  const done = await carryOut(answer.value, question.shown, library, pass)
  if (!done.ok) {
    // A gate that fails for this group every time would cost model calls every time.
    if (done.error.code === 'gate') await settle([group.mark], false, pass)
    return done
  }
  // Groups that were not carried out are asked about again.
  if (signal?.aborted) return ok(undefined)
  const after = pass.dryRun ? [] : await marksAfter(question.shown, run.created.slice(created), pass)
  await settle([group.mark, ...after], run.refused.length === refused, pass)
  return ok(undefined)
}

/** `run.stopped` says what ended the pass; an error comes from the storage, gate, lease or backup. */
export const workOnGroup = async (group: ConsolidationGroup, pass: ConsolidationPass): Promise<Result<void>> => {
  const { run, asker, storage } = pass
  // Read anew for each group: an earlier one may have created or moved skills.
  const library = await readConsolidationLibrary(pass)
  if (!library.ok) return library
  const skills = group.names.flatMap((name) => library.value.mergeable.get(name) ?? [])
  const read = await readShown(storage, skills)
  if (!read.ok) return read
  const others = [...library.value.mergeable.values()].filter(({ name }) => !group.names.includes(name))
  // The limit of a full run, not the remaining budget: a group judged in part would count as settled.
  const question = toQuestion(group.label, read.value, others, asker.room)
  if (!question) {
    run.left += 1
    if (read.value.length > 1) run.problems.push(cannotBeShown(read.value))
    return ok(undefined)
  }
  const unshown = read.value.filter((skill) => !question.shown.includes(skill))
  if (unshown.length > 0) run.problems.push(cannotBeShown(unshown))
  const why = asker.whyNot(question.inputTokens)
  if (why) {
    run.stopped = why
    return ok(undefined)
  }
  return askAbout(group, question, library.value, pass)
}
