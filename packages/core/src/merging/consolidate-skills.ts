/**
 * Merges near-identical and too narrow skills into broader ones (seed 001, 3): groups → one question each → rules → gate → one
 * transaction for each umbrella. The model proposes, code and gate decide; the report says what was done.
 */
import { readMergeIntent } from '../curator/merge-intent.ts'
import type { ConsolidationReport } from '../curator/report/consolidation-report.ts'
import { checkNoRollback } from '../curator/rollback/rollback-state.ts'
import { AGEING_PRESETS } from '../curator/transitions/ageing-options.ts'
import { callSafely } from '../shared/call-safely.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { readOnlyBackend } from '../storage/read-only-backend.ts'
import { UsageStore } from '../usage/usage-store.ts'
import { recoverConsolidation } from './apply/recover.ts'
import { resumeApproved } from './apply/resume.ts'
import { type ConsolidateOptions, DEFAULT_CONSOLIDATION_BUDGET } from './options.ts'
import { workOnGroup } from './pass.ts'
import { openAsker } from './propose/ask.ts'
import { readGroups } from './propose/groups.ts'
import { type ConsolidationPass, newConsolidationRun, toConsolidationReport } from './run.ts'

const consolidate = async (pass: ConsolidationPass): Promise<Result<void>> => {
  const { run, signal } = pass
  const resumed = await resumeApproved(pass)
  if (!resumed.ok) return resumed
  const groups = await readGroups(pass)
  if (!groups.ok) return groups
  run.unchanged = groups.value.unchanged
  if (groups.value.problem) run.problems.push(groups.value.problem)
  const waiting = [...groups.value.due]
  while (waiting.length > 0) {
    if (signal?.aborted) run.stopped = 'aborted'
    const [group] = waiting
    if (run.stopped || !group) break
    const asked = run.asked
    const worked = await workOnGroup(group, pass)
    if (!worked.ok) {
      run.left += waiting.length - (run.asked > asked ? 1 : 0)
      return worked
    }
    if (!run.stopped || run.asked > asked) waiting.shift()
  }
  run.left += waiting.length
  return ok(undefined)
}

const settleInterrupted = async (pass: ConsolidationPass): Promise<Result<void>> => {
  const { run, dryRun, storage } = pass
  if (dryRun) {
    const unfinished = await readMergeIntent(storage)
    if (!unfinished.ok) return unfinished
    if (!unfinished.value) return ok(undefined)
    const message = `A merge into '${unfinished.value.umbrella.name}' was interrupted. The next run settles it first; until then this preview is only a guess.`
    run.problems.push(new HermesError('locked', message))
    return ok(undefined)
  }
  const recovered = await recoverConsolidation(pass)
  if (!recovered.ok) return recovered
  run.recovered = recovered.value
  run.problems.push(...(recovered.value?.problems ?? []))
  return ok(undefined)
}

const failedWith = (error: HermesError, report: ConsolidationReport): HermesError =>
  new HermesError(
    error.code,
    `The consolidation stopped after ${report.consolidated.length} merged skills: ${error.message} What it reports as done is done; the next run settles the rest.`,
    { cause: error, details: { ...error.details, consolidation: report } },
  )

/**
 * Needs the curator's lease. `locked` while a rollback is unfinished; `unreadable` marks or records; a failing storage, gate, backup or
 * lease ends it, with `details.consolidation`. A failing model or an unreadable answer changes nothing and is reported.
 */
export const consolidateSkills = async (options: ConsolidateOptions): Promise<Result<ConsolidationReport>> => {
  const { model, gate, clock, signal, dryRun = false, staleAfterDays = AGEING_PRESETS.daily.staleAfterDays } = options
  const storage = dryRun ? readOnlyBackend(options.storage) : options.storage
  const { journal, pending, step } = dryRun ? {} : options
  const skills = new SkillStore({ storage, clock })
  const usage = new UsageStore({ storage, clock })
  const asker = openAsker(model, { ...DEFAULT_CONSOLIDATION_BUDGET, ...options.budget }, signal, clock)
  const run = newConsolidationRun()
  const pass: ConsolidationPass = {
    storage,
    skills,
    usage,
    clock,
    model: () => asker.cost()?.model,
    gate,
    journal,
    pending,
    step,
    dryRun,
    staleAfterDays,
    signal,
    asker,
    run,
  }
  try {
    const free = await checkNoRollback(storage)
    const settled = free.ok ? await settleInterrupted(pass) : free
    const done = settled.ok ? await consolidate(pass) : settled
    const report = toConsolidationReport(run, asker.spent(), dryRun)
    return done.ok ? ok(report) : err(failedWith(done.error, report))
  } finally {
    asker.end()
    const cost = asker.cost()
    if (cost && options.onCost) callSafely(options.onCost, cost)
  }
}
