/** Carries out what was approved: the place of the run first, then the merge, then the report and the journal. */

import type { ConsolidationStep } from '../../curator/consolidation-step.ts'
import { refusal } from '../../curator/report/consolidation-report.ts'
import { addToRun } from '../../curator/run-journal/run-journal.ts'
import type { JournalRecordInput } from '../../journal/journal.ts'
import { ok, type Result } from '../../shared/result.ts'
import type { ShownSkill } from '../library.ts'
import type { PreparedSource, PreparedUmbrella } from '../plan/prepare.ts'
import type { ConsolidationRun } from '../run.ts'
import type { ArchivedSources, MergeDeps } from './archive.ts'
import { type DisposeDeps, tell, toRecord } from './dispose.ts'
import type { Disposition, GatedChange } from './gate.ts'
import { mergeSkills } from './merge.ts'

export interface CarryOutDeps extends MergeDeps, DisposeDeps {
  readonly step: Pick<ConsolidationStep, 'runId' | 'renew' | 'beforeChanges'> | undefined
}

/** The place of the run, its backup and its journal, before anything changes. */
export const prepareRun = async (
  skills: readonly ShownSkill[],
  into: string | undefined,
  { step, storage }: CarryOutDeps,
): Promise<Result<void>> => {
  if (!step) return ok(undefined)
  const renewed = await step.renew()
  if (!renewed.ok) return renewed
  const saved = await step.beforeChanges()
  if (!saved.ok) return saved
  const absorbedInto = into === undefined ? {} : { absorbedInto: into }
  const planned = skills.map(({ name, path, record }) => ({ name, path, from: record.state, to: 'archived' as const, ...absorbedInto }))
  return addToRun(storage, step.runId, planned)
}

const tellMerge = async (
  prepared: PreparedUmbrella,
  changes: readonly GatedChange[],
  disposition: Disposition,
  { archived }: ArchivedSources,
  deps: CarryOutDeps,
  run: ConsolidationRun,
): Promise<void> => {
  const { folder, before } = prepared
  const written = changes.map((change, at): JournalRecordInput => {
    const previous = at === 0 && before ? { previous: [before.text] } : {}
    return { ...toRecord(change, disposition, deps), verdict: 'applied', reason: disposition.reason, ...previous }
  })
  const moved = [...archived].map(
    ([name, entry]): JournalRecordInput => ({
      actor: 'curator',
      verdict: 'applied',
      target: 'skill',
      op: { action: 'archive', name, absorbedInto: folder.name },
      reason: `What it says is part of '${folder.name}' now. It lies in the archive as '${entry.id}'.`,
    }),
  )
  await tell([...written, ...moved], deps, run)
}

const reportMerge = (
  prepared: PreparedUmbrella,
  { archived, kept }: ArchivedSources | { archived?: never; kept?: never },
  run: ConsolidationRun,
): void => {
  const into = prepared.folder.name
  if (!prepared.before) run.created.push(into)
  for (const { skill, method, reason, files } of prepared.sources) {
    const why = kept?.get(skill.name)
    if (why !== undefined) run.refused.push(refusal('consolidation', [skill.name], into, why))
    else run.consolidated.push({ name: skill.name, into, method, reason, files, archivedAs: archived?.get(skill.name)?.id })
  }
}

const skillsOf = (sources: readonly PreparedSource[]): readonly ShownSkill[] => sources.map(({ skill }) => skill)

/**
 * One approved umbrella with all that goes into it. `changes` are what the gate was asked about, for the journal. A refusal of the last moment is told in `run`; an
 * error ends the whole pass.
 */
export const commitUmbrella = async (
  prepared: PreparedUmbrella,
  changes: readonly GatedChange[],
  disposition: Disposition,
  deps: CarryOutDeps,
  run: ConsolidationRun,
): Promise<Result<void>> => {
  const skills = skillsOf(prepared.sources)
  const into = prepared.folder.name
  if (deps.dryRun) {
    reportMerge(prepared, {}, run)
    return ok(undefined)
  }
  const ready = await prepareRun(skills, into, deps)
  if (!ready.ok) return ready
  const merged = await mergeSkills(prepared, deps)
  if (!merged.ok) return merged
  if (!merged.value.done) {
    const names = skills.map(({ name }) => name)
    run.refused.push(refusal('consolidation', names, into, merged.value.why))
    return ok(undefined)
  }
  reportMerge(prepared, merged.value, run)
  await tellMerge(prepared, changes, disposition, merged.value, deps, run)
  return ok(undefined)
}
