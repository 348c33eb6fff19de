/** From one look at the library to everything a run is going to do. Pure; linear in the number of skills and records. */
import type { HermesError } from '../shared/hermes-error.ts'
import type { ArchivedSkill } from '../skills/archived-skill.ts'
import type { SkillListEntry, SkillListing } from '../skills/skill-listing.ts'
import type { SkillState, UsageRecord } from '../usage/usage-record.ts'
import type { UsageRecords } from '../usage/usage-store.ts'
import { byName, type SkippedSkill } from './curator-report.ts'
import { type JudgingContext, judgeSkill } from './judge-skill.ts'

export interface PlannedTransition {
  readonly name: string
  readonly skill: SkillListEntry
  readonly from: SkillState
  readonly to: SkillState
  readonly reason: string
}

/** Its folder lies in the archive while the record does not say so: an earlier run did not live to write it. */
export interface PlannedRepair {
  readonly name: string
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

/** True where the plan would change anything at all. */
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

/** The skills that could not be read, by what their folder is called. */
const toUnreadable = (problems: readonly HermesError[]): readonly SkippedSkill[] =>
  problems.flatMap(({ code, message, details }): readonly SkippedSkill[] => {
    const path = details['path']
    if (code === 'ambiguous' || typeof path !== 'string') return []
    return [{ name: path.split('/').at(-2) ?? path, reason: 'unreadable', detail: message }]
  })

const pinAdvice = (name: string, { misjudgements, pinned }: UsageRecord): readonly string[] =>
  misjudgements >= MISJUDGEMENTS_TO_PIN && !pinned
    ? [`The skill '${name}' came back from the archive ${misjudgements} times. Pin it to keep it for good.`]
    : []

/** Records whose skill is not in the library: it was archived, perhaps by a run that did not live to say so, or is gone. */
const judgeAbsent = (
  records: UsageRecords,
  isPresent: (name: string) => boolean,
  archived: Library['archived'],
): { readonly skipped: readonly SkippedSkill[]; readonly repairs: readonly PlannedRepair[] } => {
  const inArchive = new Set(archived.map(({ name }) => name))
  const skipped: SkippedSkill[] = []
  const repairs: PlannedRepair[] = []
  for (const [name, record] of records) {
    if (isPresent(name)) continue
    if (!inArchive.has(name)) skipped.push({ name, reason: 'missing' })
    else if (record.state === 'archived') skipped.push({ name, reason: 'archived' })
    else repairs.push({ name, record })
  }
  return { skipped, repairs }
}

export const planTransitions = ({ listing, archived, records, ...context }: Library): CuratorPlan => {
  const groups = groupByName(listing.skills)
  const unreadable = toUnreadable(listing.problems)
  const transitions: PlannedTransition[] = []
  const skipped: SkippedSkill[] = [...unreadable]
  const warnings: string[] = [...context.ageing.warnings]
  for (const [name, [skill, ...twins]] of groups) {
    if (!skill) continue
    if (twins.length > 0) {
      skipped.push({ name, reason: 'ambiguous', detail: [skill, ...twins].map(({ path }) => path).join(', ') })
      continue
    }
    const record = records.get(name)
    if (record) warnings.push(...pinAdvice(name, record))
    const verdict = judgeSkill(skill, record, context)
    if (verdict.move) transitions.push({ name, skill, from: verdict.from, to: verdict.to, reason: verdict.reason })
    else skipped.push({ name, reason: verdict.reason })
  }
  const unread = new Set(unreadable.map(({ name }) => name))
  const absent = judgeAbsent(records, (name) => groups.has(name) || unread.has(name), archived)
  return {
    transitions: transitions.sort(byName),
    skipped: [...skipped, ...absent.skipped].sort(byName),
    repairs: absent.repairs.toSorted(byName),
    warnings,
  }
}
