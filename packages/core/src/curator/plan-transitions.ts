/** Plans everything a run will do, from one listing of the library: what changes, and the documents that changes. Pure; linear in the number of skills and records. */
import type { HermesError } from '../shared/hermes-error.ts'
import type { ArchivedSkill } from '../skills/archive.ts'
import { SKILL_FILE, SKILLS_FOLDER } from '../skills/skill-discovery.ts'
import type { SkillListEntry, SkillListing } from '../skills/skill-index.ts'
import type { DocumentInfo, Plan } from '../storage/storage-backend.ts'
import { readStoredRecord, writeStoredRecord } from '../usage/stored-record.ts'
import type { SkillState, UsageRecord } from '../usage/usage-record.ts'
import { applyRestore, applyState } from '../usage/usage-record.ts'
import { encodeSidecar, USAGE_PATH, type UsageSidecar } from '../usage/usage-sidecar.ts'
import type { UsageRecords } from '../usage/usage-store.ts'
import { type JudgingContext, judgeSkill } from './age.ts'
import { ArchivePlanner } from './plan-archive.ts'
import { byName, type SkillTransition, type SkippedSkill } from './report.ts'

interface PlannedTransition {
  readonly name: string
  readonly skill: SkillListEntry
  readonly from: SkillState
  readonly to: SkillState
  readonly reason: string
}

/** A skill whose folder was moved to or from the archive without an update of its record. */
interface PlannedRepair {
  readonly name: string
  readonly to: 'archived' | 'restored'
  readonly record: UsageRecord
}

export interface CuratorPlan {
  readonly transitions: readonly PlannedTransition[]
  readonly skipped: readonly SkippedSkill[]
  readonly repairs: readonly PlannedRepair[]
  readonly warnings: readonly string[]
}

export interface Library extends JudgingContext {
  readonly listing: SkillListing
  readonly archived: readonly Pick<ArchivedSkill, 'name'>[]
  readonly records: UsageRecords
}

/** Whether the plan has any change. */
export const changesSomething = ({ transitions, repairs }: CuratorPlan): boolean => transitions.length + repairs.length > 0

const MISJUDGEMENTS_TO_PIN = 3

const groupByName = (skills: readonly SkillListEntry[]): ReadonlyMap<string, readonly SkillListEntry[]> => {
  const groups = new Map<string, SkillListEntry[]>()
  for (const skill of skills) {
    const group = groups.get(skill.name)
    if (group) group.push(skill)
    else groups.set(skill.name, [skill])
  }
  return groups
}

/** Skills that could not be read, named after their folders. */
const toUnreadable = (problems: readonly HermesError[]): readonly SkippedSkill[] =>
  problems.flatMap(({ code, message, details }): readonly SkippedSkill[] => {
    const path = details['path']
    if (code === 'ambiguous' || typeof path !== 'string') return []
    const folder = path.endsWith(`/${SKILL_FILE}`) ? path.slice(0, -SKILL_FILE.length - 1) : path
    return [{ name: folder.slice(folder.lastIndexOf('/') + 1), reason: 'unreadable', detail: message }]
  })

const pinAdvice = (name: string, { misjudgements, pinned }: UsageRecord): readonly string[] =>
  misjudgements >= MISJUDGEMENTS_TO_PIN && !pinned
    ? [`The skill '${name}' came back from the archive ${misjudgements} times. Pin it to keep it.`]
    : []

/** The record belongs to the archived skill; the origin of the live one is unknown, so it is skipped. */
const sharesRecord = (name: string): string =>
  `The skill '${name}' does not age: its usage record belongs to an archived skill of the same name. Rename one of them, or delete the archived one.`

/**
 * Records whose skill is not in the library: it was archived by a run that could not record it, or is gone. If any skill is unreadable,
 * its name is unknown and it may be the missing one, so no record is changed.
 */
const judgeAbsent = (
  records: UsageRecords,
  isPresent: (name: string) => boolean,
  inArchive: ReadonlySet<string>,
  areAllKnown: boolean,
): { readonly skipped: readonly SkippedSkill[]; readonly repairs: readonly PlannedRepair[] } => {
  const skipped: SkippedSkill[] = []
  const repairs: PlannedRepair[] = []
  for (const [name, record] of records) {
    if (isPresent(name)) continue
    if (!inArchive.has(name)) skipped.push({ name, reason: 'missing' })
    else if (record.state === 'archived' || !areAllKnown) skipped.push({ name, reason: 'archived' })
    else repairs.push({ name, to: 'archived', record })
  }
  return { skipped, repairs }
}

export const planTransitions = ({ listing, archived, records, ...context }: Library): CuratorPlan => {
  const groups = groupByName(listing.skills)
  const unreadable = toUnreadable(listing.problems)
  const inArchive = new Set(archived.map(({ name }) => name))
  const transitions: PlannedTransition[] = []
  const skipped: SkippedSkill[] = [...unreadable]
  const returned: PlannedRepair[] = []
  const warnings: string[] = [...context.ageing.warnings]
  for (const [name, [skill, ...twins]] of groups) {
    if (!skill) continue
    if (twins.length > 0) {
      skipped.push({ name, reason: 'ambiguous', detail: [skill, ...twins].map(({ path }) => path).join(', ') })
      continue
    }
    const record = records.get(name)
    if (record) warnings.push(...pinAdvice(name, record))
    if (record?.state === 'archived') {
      if (inArchive.has(name)) warnings.push(sharesRecord(name))
      else returned.push({ name, to: 'restored', record })
    }
    const verdict = judgeSkill(skill, record, context)
    if (verdict.move) transitions.push({ name, skill, from: verdict.from, to: verdict.to, reason: verdict.reason })
    else skipped.push({ name, reason: verdict.reason })
  }
  const unread = new Set(unreadable.map(({ name }) => name))
  const absent = judgeAbsent(records, (name) => groups.has(name) || unread.has(name), inArchive, unreadable.length === 0)
  return {
    transitions: transitions.sort(byName),
    skipped: [...skipped, ...absent.skipped].sort(byName),
    repairs: [...absent.repairs, ...returned].sort(byName),
    warnings,
  }
}

export const recordsIn = (sidecar: UsageSidecar): ReadonlyMap<string, UsageRecord> =>
  new Map(
    [...sidecar].flatMap(([name, stored]): (readonly [string, UsageRecord])[] => {
      const record = readStoredRecord(stored)
      return record ? [[name, record]] : []
    }),
  )

export interface PlannedChanges extends Required<Pick<Plan<unknown>, 'put' | 'move'>> {
  readonly transitioned: readonly SkillTransition[]
  readonly skipped: readonly SkippedSkill[]
}

/** The moves, manifests and counts of the transitions. `blocked`: paths of skills that cannot be moved, with the error. */
export const planChanges = (
  { transitions, repairs }: CuratorPlan,
  sidecar: UsageSidecar,
  documents: readonly DocumentInfo[],
  now: number,
  blocked: ReadonlyMap<string, HermesError>,
): PlannedChanges => {
  const archive = new ArchivePlanner(documents)
  const records = new Map(sidecar)
  const move: (readonly [string, string])[] = []
  const put: Record<string, Uint8Array> = {}
  const transitioned: SkillTransition[] = []
  const skipped: SkippedSkill[] = []
  const change = (name: string, next: (record: UsageRecord) => UsageRecord): void => {
    const record = readStoredRecord(sidecar.get(name))
    if (record) records.set(name, writeStoredRecord(sidecar.get(name), next(record)))
  }
  for (const { name, skill, from, to, reason } of transitions) {
    const why = blocked.get(`${SKILLS_FOLDER}/${skill.path}`)?.message
    const planned = to === 'archived' && why === undefined ? archive.plan({ skill, reason, at: now, unused: true }) : undefined
    const detail = planned?.ok === false ? planned.error.message : to === 'archived' ? why : undefined
    if (detail !== undefined) {
      skipped.push({ name, reason: 'archive-failed', detail })
      continue
    }
    if (planned?.ok) {
      move.push(planned.value.move)
      Object.assign(put, planned.value.put)
    }
    change(name, (record) => applyState(record, to, now))
    transitioned.push({ name, from, to, reason, ...(planned?.ok ? { archivedAs: planned.value.archived.id } : {}) })
  }
  for (const { name, to } of repairs)
    change(name, (record) => (to === 'restored' ? applyRestore(record, now) : applyState(record, to, now)))
  if (transitioned.length + repairs.length > 0) put[USAGE_PATH] = encodeSidecar(records)
  return { move, put, transitioned, skipped }
}
