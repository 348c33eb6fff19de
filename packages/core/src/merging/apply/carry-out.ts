/** Carries out a plan: loads the skills, asks the gate, prepares the run, merges, reports. A refused or held plan moves nothing. */
import { refusal } from '../../curator/report/consolidation-report.ts'
import { addToRun } from '../../curator/run-journal/run-journal.ts'
import type { Verdict } from '../../gate/review-gate.ts'
import { traceMerge } from '../../gate/trace-merge.ts'
import type { JournalRecordInput } from '../../journal/journal.ts'
import { ok, type Result } from '../../shared/result.ts'
import { sha256Of } from '../../shared/sha256.ts'
import { SKILL_FILE } from '../../skills/skill-discovery.ts'
import type { ShownSkill } from '../library.ts'
import { isAboutThePlan, loadAndPrepare } from '../plan/load.ts'
import type { PreparedUmbrella } from '../plan/prepare.ts'
import type { PlannedPruning, PlannedUmbrella } from '../plan/rules.ts'
import type { ConsolidationPass, ConsolidationRun } from '../run.ts'
import { type ArchivedSources, archiveSources } from './archive.ts'
import { askApproval, type GatedChange, originalTexts, recordOf, tell, toPruningChange, toUmbrellaChanges } from './gate.ts'
import { mergeSkills } from './merge.ts'
import { keepWaiting } from './waiting.ts'

/** Renews the lease of the run, takes its backup and opens its journal, before the first change. */
const prepareRun = async (
  skills: readonly ShownSkill[],
  into: string | undefined,
  { step, storage }: ConsolidationPass,
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

const journalMerge = async (
  prepared: PreparedUmbrella,
  changes: readonly GatedChange[],
  verdict: Verdict,
  { archived }: ArchivedSources,
  pass: ConsolidationPass,
): Promise<void> => {
  const { folder, before } = prepared
  const written = changes.map((change, at): JournalRecordInput => {
    const previous = at === 0 && before ? { previous: [before.text] } : {}
    return recordOf(change, verdict, { kind: 'applied', reason: verdict.reason, ...previous }, pass)
  })
  const moved = [...archived].map(
    ([name, entry]): JournalRecordInput => ({
      actor: 'curator',
      kind: 'applied',
      target: 'skill',
      op: { action: 'archive', name, absorbedInto: folder.name },
      reason: `Its content is now part of '${folder.name}'. It is archived as '${entry.id}'.`,
    }),
  )
  await tell([...written, ...moved], pass)
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

/**
 * Commits one approved umbrella with its sources. `changes` are what the gate judged, for the journal. A late refusal is reported in
 * `run`; an error ends the whole pass.
 */
export const commitUmbrella = async (
  prepared: PreparedUmbrella,
  changes: readonly GatedChange[],
  verdict: Verdict,
  pass: ConsolidationPass,
): Promise<Result<void>> => {
  const { run } = pass
  const skills = prepared.sources.map(({ skill }) => skill)
  const into = prepared.folder.name
  if (pass.dryRun) {
    reportMerge(prepared, {}, run)
    return ok(undefined)
  }
  const ready = await prepareRun(skills, into, pass)
  if (!ready.ok) return ready
  const merged = await mergeSkills(prepared, pass)
  if (!merged.ok) return merged
  if (!merged.value.done) {
    const names = skills.map(({ name }) => name)
    run.refused.push(refusal('consolidation', names, into, merged.value.why))
    return ok(undefined)
  }
  reportMerge(prepared, merged.value, run)
  await journalMerge(prepared, changes, verdict, merged.value, pass)
  return ok(undefined)
}

/** An error of the storage, gate, lease or backup ends the whole pass. */
export const carryOutUmbrella = async (plan: PlannedUmbrella, pass: ConsolidationPass): Promise<Result<void>> => {
  const { run } = pass
  const about = { kind: 'consolidation', names: plan.sources.map(({ skill }) => skill.name), into: plan.name } as const
  const prepared = await loadAndPrepare(plan, pass.storage)
  if (!prepared.ok) {
    if (!isAboutThePlan(prepared.error)) return prepared
    run.refused.push({ ...about, why: prepared.error.message })
    return ok(undefined)
  }
  const changes = toUmbrellaChanges(prepared.value)
  const untraced = await traceMerge(prepared.value.merged)
  const approval = await askApproval(changes, originalTexts(prepared.value), about, pass, untraced)
  if (!approval.ok) return approval
  if (approval.value.verdict === 'approve') return commitUmbrella(prepared.value, changes, approval.value, pass)
  if (approval.value.verdict === 'hold' && !pass.dryRun) {
    const kept = await keepWaiting(pass.storage, plan, prepared.value.before?.text, pass.clock())
    if (!kept.ok) run.problems.push(kept.error)
  }
  return ok(undefined)
}

/** Archives a skill without merging its content. An error ends the whole pass. */
export const carryOutPruning = async (plan: PlannedPruning, pass: ConsolidationPass): Promise<Result<void>> => {
  const { run } = pass
  const { skill, reason } = plan
  const about = { kind: 'pruning', names: [skill.name], into: undefined } as const
  const change = toPruningChange(plan)
  const approval = await askApproval([change], [skill.text], about, pass)
  if (!approval.ok) return approval
  if (approval.value.verdict !== 'approve') return ok(undefined)
  if (pass.dryRun) {
    run.pruned.push({ name: skill.name, reason, archivedAs: undefined })
    return ok(undefined)
  }
  const ready = await prepareRun([skill], undefined, pass)
  if (!ready.ok) return ready
  const moved = await archiveSources(
    [{ name: skill.name, path: skill.path, reason, files: [{ path: SKILL_FILE, sha256: await sha256Of(skill.bytes) }] }],
    undefined,
    pass,
  )
  if (!moved.ok) return moved
  const entry = moved.value.archived.get(skill.name)
  if (!entry) {
    run.refused.push({ ...about, why: moved.value.kept.get(skill.name) ?? '' })
    return ok(undefined)
  }
  run.pruned.push({ name: skill.name, reason, archivedAs: entry.id })
  await tell([recordOf(change, approval.value, { kind: 'applied', reason: approval.value.reason }, pass)], pass)
  return ok(undefined)
}
