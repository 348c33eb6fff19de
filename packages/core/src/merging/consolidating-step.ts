/** The consolidation as a step of a run, or on its own as a preview: what it did goes into the report of the run and to whoever asked. */
import { systemClock } from '../shared/clock.ts'
import { ok } from '../shared/result.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { UsageStore } from '../usage/usage-store.ts'
import type { CurateOptions } from '../curator/curate-options.ts'
import { consolidateSkills, consolidationOf } from './consolidate-skills.ts'
import { toConsolidationNote } from './note.ts'
import type { ConsolidateOptions } from './options.ts'
import { recoverConsolidation } from './apply/recover.ts'
import type { ConsolidationReport } from '../curator/report/consolidation-report.ts'
import { newConsolidationRun, toConsolidationReport } from './run.ts'

type Step = NonNullable<CurateOptions['consolidate']>

/** `onReport` hears what was done, also where it failed half-way; the report of the run tells it in either case. */
export const consolidatingStep =
  (options: Omit<ConsolidateOptions, 'dryRun' | 'signal' | 'step'>, onReport: (report: ConsolidationReport) => void): Step =>
  async (step) => {
    const done = await consolidateSkills({ ...options, signal: step.signal, step })
    if (done.ok) {
      onReport(done.value)
      return ok(toConsolidationNote(done.value))
    }
    const report = consolidationOf(done.error)
    if (!report) return done
    onReport(report)
    return ok({ ...toConsolidationNote(report), failure: done.error })
  }

/** For a run that merges nothing, in a home where an earlier merge was interrupted: that one is settled. */
export const settlingStep =
  ({ storage, clock = systemClock }: Pick<ConsolidateOptions, 'storage' | 'clock'>): Step =>
  async (step) => {
    const ready = await step.beforeChanges()
    if (!ready.ok) return ready
    const skills = new SkillStore({ storage, clock })
    const usage = new UsageStore({ storage, clock })
    const recovered = await recoverConsolidation({ storage, skills, usage, clock })
    if (!recovered.ok) return recovered
    const report = toConsolidationReport(
      { ...newConsolidationRun(), recovered: recovered.value },
      { calls: 0, inputTokens: 0, outputTokens: 0 },
      false,
    )
    return ok(toConsolidationNote(report))
  }
