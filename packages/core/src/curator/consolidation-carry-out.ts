/** From a plan to facts: loads what is concerned, asks the gate, and merges; what is refused or held on the way moves nothing. */
import type { JournalRecordInput } from '../journal/journal.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { SKILL_FILE } from '../skills/skill-discovery.ts'
import { MAX_SUPPORT_FILE_BYTES } from '../skills/support-file-size.ts'
import { sha256Of } from './backup-bytes.ts'
import { type ArchivedSources, archiveSources, type MergeDeps } from './consolidation-archive.ts'
import { askApproval, type DisposeDeps, tell, toRecord } from './consolidation-dispose.ts'
import { type Disposition, type GatedChange, textsBehind, toPruningChange, toUmbrellaChanges } from './consolidation-gate.ts'
import { readShown, readSupportFiles, type ShownSkill } from './consolidation-library.ts'
import { mergeSkills } from './consolidation-merge.ts'
import { type PreparedSource, type PreparedUmbrella, prepareUmbrella, type SkillPackage } from './consolidation-prepare.ts'
import type { RefusedConsolidation } from './consolidation-report.ts'
import type { PlannedPruning, PlannedUmbrella } from './consolidation-rules.ts'
import type { ConsolidationRun } from './consolidation-run.ts'
import type { ConsolidationStep } from './curate-options.ts'
import { addToRun } from './run-journal.ts'

export interface CarryOutDeps extends MergeDeps, DisposeDeps {
  readonly step: Pick<ConsolidationStep, 'runId' | 'renew' | 'beforeChanges'> | undefined
}

/** In one skill; what is larger is no skill that a text could stand for. */
const MAX_PACKAGE_BYTES = 8 * MAX_SUPPORT_FILE_BYTES

const refusal = (
  kind: RefusedConsolidation['kind'],
  names: readonly string[],
  into: string | undefined,
  why: string,
): RefusedConsolidation => ({
  kind,
  names,
  into,
  why,
})

const loadPackage = async (skill: ShownSkill, { storage }: MergeDeps): Promise<Result<SkillPackage>> => {
  const size = skill.files.reduce((sum, file) => sum + file.size, 0)
  if (size > MAX_PACKAGE_BYTES || skill.files.some((file) => file.size > MAX_SUPPORT_FILE_BYTES)) {
    return err(new HermesError('over_limit', `The files of '${skill.name}' are too large to be carried along, so it stays.`))
  }
  const files = await readSupportFiles(storage, skill)
  return files.ok ? ok({ skill, files: files.value }) : files
}

const prepare = async (plan: PlannedUmbrella, deps: MergeDeps): Promise<Result<PreparedUmbrella>> => {
  const packages = new Map<string, SkillPackage>()
  for (const { skill } of plan.sources) {
    const loaded = await loadPackage(skill, deps)
    if (!loaded.ok) return loaded
    packages.set(skill.name, loaded.value)
  }
  if (!plan.existing) return prepareUmbrella({ plan, umbrella: undefined, packages })
  const read = await readShown(deps.storage, [plan.existing])
  if (!read.ok) return read
  const [now] = read.value
  if (!now) return err(new HermesError('not_found', `'${plan.name}' is gone or cannot be read, so nothing was merged into it.`))
  const umbrella = await loadPackage(now, deps)
  return umbrella.ok ? prepareUmbrella({ plan, umbrella: umbrella.value, packages }) : umbrella
}

/** About this one plan; whatever else fails is the storage's. */
const OWN_FAILURES: readonly HermesError['code'][] = ['invalid', 'invalid_path', 'over_limit', 'blocked', 'not_found', 'unreadable']

/** The place of the run, its backup and its journal, before anything changes. */
const prepareRun = async (
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
    return { ...toRecord(change, disposition), verdict: 'applied', reason: disposition.reason, ...previous }
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

const report = (
  prepared: PreparedUmbrella,
  { archived, kept }: ArchivedSources | { archived?: never; kept?: never },
  run: ConsolidationRun,
): void => {
  const into = prepared.folder.name
  if (!prepared.before) run.created.push(into)
  for (const { skill, method, reason, files, missing } of prepared.sources) {
    const why = kept?.get(skill.name)
    if (why !== undefined) run.refused.push(refusal('consolidation', [skill.name], into, why))
    else run.consolidated.push({ name: skill.name, into, method, reason, files, missing, archivedAs: archived?.get(skill.name)?.id })
  }
}

const skillsOf = (sources: readonly PreparedSource[]): readonly ShownSkill[] => sources.map(({ skill }) => skill)

/** An error ends the whole pass: the storage, the gate, the lease or the backup failed. */
export const carryOutUmbrella = async (plan: PlannedUmbrella, deps: CarryOutDeps, run: ConsolidationRun): Promise<Result<void>> => {
  const about = { kind: 'consolidation', names: plan.sources.map(({ skill }) => skill.name), into: plan.name } as const
  const prepared = await prepare(plan, deps)
  if (!prepared.ok) {
    if (!OWN_FAILURES.includes(prepared.error.code)) return prepared
    run.refused.push({ ...about, why: prepared.error.message })
    return ok(undefined)
  }
  const changes = toUmbrellaChanges(prepared.value)
  const approved = await askApproval(changes, textsBehind(prepared.value), about, deps, run)
  if (!approved.ok) return approved
  if (!approved.value) return ok(undefined)
  if (deps.dryRun) {
    report(prepared.value, {}, run)
    return ok(undefined)
  }
  const ready = await prepareRun(skillsOf(prepared.value.sources), plan.name, deps)
  if (!ready.ok) return ready
  const merged = await mergeSkills(prepared.value, deps)
  if (!merged.ok) return merged
  if (!merged.value.done) {
    run.refused.push({ ...about, why: merged.value.why })
    return ok(undefined)
  }
  report(prepared.value, merged.value, run)
  await tellMerge(prepared.value, changes, approved.value, merged.value, deps, run)
  return ok(undefined)
}

/** The same for a skill that goes without its content going anywhere. */
export const carryOutPruning = async (plan: PlannedPruning, deps: CarryOutDeps, run: ConsolidationRun): Promise<Result<void>> => {
  const { skill, reason } = plan
  const about = { kind: 'pruning', names: [skill.name], into: undefined } as const
  const change = toPruningChange(plan)
  const approved = await askApproval([change], [skill.text], about, deps, run)
  if (!approved.ok) return approved
  if (!approved.value) return ok(undefined)
  if (deps.dryRun) {
    run.pruned.push({ name: skill.name, reason, archivedAs: undefined })
    return ok(undefined)
  }
  const ready = await prepareRun([skill], undefined, deps)
  if (!ready.ok) return ready
  const moved = await archiveSources(
    [{ name: skill.name, path: skill.path, reason, files: [{ path: SKILL_FILE, sha256: await sha256Of(skill.bytes) }] }],
    undefined,
    deps,
  )
  if (!moved.ok) return moved
  const entry = moved.value.archived.get(skill.name)
  if (!entry) {
    run.refused.push({ ...about, why: moved.value.kept.get(skill.name) ?? '' })
    return ok(undefined)
  }
  run.pruned.push({ name: skill.name, reason, archivedAs: entry.id })
  await tell([{ ...toRecord(change, approved.value), verdict: 'applied', reason: approved.value.reason }], deps, run)
  return ok(undefined)
}
