/** The part of merging that curator runs load: merging as a step of a run, or a preview. */
import type { Consolidate, Merging, MergingOptions } from '../curator/consolidation-step.ts'
import { consolidationOf } from '../curator/report/consolidation-report.ts'
import { ok } from '../shared/result.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { UsageStore } from '../usage/usage-store.ts'
import { recoverConsolidation } from './apply/recover.ts'
import { consolidateSkills } from './consolidate-skills.ts'
import { toConsolidationNote } from './note.ts'
import { newConsolidationRun, toConsolidationReport } from './run.ts'

/** If it fails half-way, the note says what was done until then. */
export const consolidatingStep =
  (options: MergingOptions): Consolidate =>
  async (step) => {
    const done = await consolidateSkills({ ...options, signal: step.signal, step })
    if (done.ok) return ok(toConsolidationNote(done.value))
    const report = consolidationOf(done.error)
    return report ? ok({ ...toConsolidationNote(report), failure: done.error }) : done
  }

/** For a run that merges nothing, in a home with an interrupted merge. */
const settlingStep =
  ({ storage, clock }: Pick<MergingOptions, 'storage' | 'clock'>): Consolidate =>
  async (step) => {
    const ready = await step.beforeChanges()
    if (!ready.ok) return ready
    const skills = new SkillStore({ storage, clock })
    const usage = new UsageStore({ storage, clock })
    const recovered = await recoverConsolidation({ storage, skills, usage, clock })
    if (!recovered.ok) return recovered
    const nothing = { calls: 0, inputTokens: 0, outputTokens: 0 }
    const { report: _, ...note } = toConsolidationNote(
      toConsolidationReport({ ...newConsolidationRun(), recovered: recovered.value }, nothing, false),
    )
    return ok(note)
  }

export const merging: Merging = {
  consolidate: consolidatingStep,
  settle: settlingStep,
  preview: (options, signal) => consolidateSkills({ ...options, dryRun: true, signal }),
}
