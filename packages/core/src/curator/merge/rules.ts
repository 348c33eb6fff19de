/**
 * Hard rules for an answer, enforced in code whatever the model says (seed 001, 3): only skills that were shown may be archived, nothing
 * is deleted, protected skills are not changed, counters are not a reason, and merges form no chains or circles. Pure.
 */

import { checkSkillCategory, checkSkillName } from '../../skills/skill-name.ts'
import { contentWords } from '../../text/content-words.ts'
import type { UsageRecord } from '../../usage/usage-record.ts'
import { windowFactor } from '../age.ts'
import type { ConsolidationMethod, RefusedConsolidation } from '../report.ts'
import type { ConsolidationLibrary, MergeableSkill, ShownSkill } from './library.ts'
import type { ConsolidationAnswer, SaidConsolidation, SaidPruning, SaidUmbrella } from './read-answer.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Days for which a new skill that was never used is not pruned. */
const NEVER_USED_DAYS = 30

/** A reason made only of these words says nothing about the skill's text. */
const COUNTER_WORDS = contentWords(
  `use uses used using unused usage count counts counter never ever not no zero none once rarely seldom times time view views viewed activity
  active inactive inactivity idle stale old older age days weeks months years recent recently last long since skill skills low value anymore
  longer patch patched patches`,
)

const saysOnlyCounters = (reason: string): boolean =>
  [...contentWords(reason)].every((word) => COUNTER_WORDS.has(word) || /^\d+$/.test(word))

/** The reason, or `undefined` if it may be pruned. */
const whyNotPruned = (
  record: UsageRecord,
  reason: string,
  { now, staleAfterDays }: Pick<RulesInput, 'now' | 'staleAfterDays'>,
): string | undefined => {
  if (reason === '') return 'No reason was given for archiving it.'
  if (saysOnlyCounters(reason)) return 'How often it was used is no reason to archive it.'
  if (record.state !== 'stale') return 'It is not stale, so it is archived only if its content goes into another skill.'
  const signs = [record.lastActivityAt, record.restoredAt, record.createdAt].filter((at) => at !== 0)
  if (signs.length === 0) return 'Its age is unknown.'
  const idleDays = (now - Math.max(...signs)) / DAY_MS
  if (record.useCount === 0 && idleDays < NEVER_USED_DAYS) return `It was never used, but it is not ${NEVER_USED_DAYS} days old yet.`
  const window = staleAfterDays * windowFactor(record)
  // One window until it is stale, and a second one as stale.
  return idleDays >= 2 * window ? undefined : `It has been stale for less than ${window} days, so it is given more time.`
}

export interface PlannedSource {
  readonly skill: ShownSkill
  readonly method: ConsolidationMethod
  readonly reason: string
}

export interface PlannedUmbrella {
  readonly name: string
  /** `undefined` for a new skill. */
  readonly existing: MergeableSkill | undefined
  readonly category: string | undefined
  /** The whole SKILL.md by the model; `undefined` if the text is kept and only pointers are added. */
  readonly content: string | undefined
  readonly files: SaidUmbrella['files']
  readonly sources: readonly PlannedSource[]
  /** 0 to 1: the lowest of its consolidations; 1 if the model gave none. */
  readonly score: number
}

export interface PlannedPruning {
  readonly skill: ShownSkill
  readonly reason: string
  readonly score: number
}

export interface ConsolidationPlan {
  readonly umbrellas: readonly PlannedUmbrella[]
  readonly prunings: readonly PlannedPruning[]
  readonly refused: readonly RefusedConsolidation[]
}

export const refusal = (
  kind: RefusedConsolidation['kind'],
  names: readonly string[],
  into: string | undefined,
  why: string,
): RefusedConsolidation => ({ kind, names, into, why })

export interface RulesInput {
  readonly answer: ConsolidationAnswer
  /** By name: skills whose full text the model was shown. */
  readonly shown: ReadonlyMap<string, ShownSkill>
  readonly library: ConsolidationLibrary
  /** Epoch milliseconds. */
  readonly now: number
  readonly staleAfterDays: number
}

const describeAbsent = (name: string, { mergeable, others }: ConsolidationLibrary): string =>
  others.get(name) ??
  (mergeable.has(name)
    ? `'${name}' was not shown in full, and no skill is merged or archived unread.`
    : `There is no skill '${name}' among the skills that were shown.`)

const whyNoNewName = (name: string, { taken }: ConsolidationLibrary): string | undefined => {
  const checked = checkSkillName(name)
  if (!checked.ok) return checked.error.message
  return taken.has(name.toLowerCase()) ? `The name '${name}' belongs to another skill, active or archived.` : undefined
}

const whyNotMerged = (
  { from, into }: SaidConsolidation,
  all: readonly SaidConsolidation[],
  { shown, library }: RulesInput,
): string | undefined => {
  const source = shown.get(from)
  if (!source) return describeAbsent(from, library)
  if (source.mustStay !== undefined) return source.mustStay
  if (into === from) return 'No skill is merged into itself.'
  if (all.some((other) => other.from === from && other.into !== into)) return `'${from}' was to be merged into several skills.`
  if (all.some((other) => other.from === into)) return `'${into}' was to be merged or archived too, so nothing can be merged into it.`
  if (all.some((other) => other.into === from)) return `Other skills were to be merged into '${from}', so it cannot be merged itself.`
  return library.mergeable.has(into) ? undefined : (library.others.get(into) ?? whyNoNewName(into, library))
}

const methodOf = (said: SaidConsolidation, isNew: boolean, hasText: boolean): ConsolidationMethod => {
  if (said.method === 'demote' || (said.method === undefined && !hasText)) return 'demote'
  return isNew ? 'create' : 'merge'
}

const whyNoUmbrella = (
  name: string,
  texts: readonly SaidUmbrella[],
  sources: readonly PlannedSource[],
  { shown, library }: RulesInput,
): string | undefined => {
  const [umbrella] = texts
  const existing = library.mergeable.get(name)
  if (texts.length > 1) return `There are ${texts.length} texts for '${name}', but only one is allowed.`
  if (!existing && umbrella?.content === undefined) return `The text of the new skill '${name}' is missing.`
  if (!existing && sources.length < 2) return 'A new umbrella must merge at least two skills.'
  const category = existing ? undefined : checkSkillCategory(umbrella?.category)
  if (category && !category.ok) return category.error.message
  if (existing && umbrella && !shown.has(name)) return `'${name}' was not shown in full, so its text cannot be rewritten.`
  const isTextless = umbrella?.content === undefined && sources.some(({ method }) => method !== 'demote')
  return isTextless ? `The text of '${name}' with the others in it is missing.` : undefined
}

/** A new skill gets the category that all its sources share, if any. */
const sharedCategory = (sources: readonly PlannedSource[]): string | undefined => {
  const [first, ...rest] = sources.map(({ skill }) => skill.category)
  return first !== undefined && !first.includes('/') && rest.every((category) => category === first) ? first : undefined
}

const planUmbrella = (name: string, said: readonly SaidConsolidation[], input: RulesInput): PlannedUmbrella | RefusedConsolidation => {
  const existing = input.library.mergeable.get(name)
  const texts = input.answer.umbrellas.filter((umbrella) => umbrella.name === name)
  const [umbrella] = texts
  const sources = said.flatMap((one): PlannedSource[] => {
    const skill = input.shown.get(one.from)
    return skill ? [{ skill, reason: one.reason, method: methodOf(one, !existing, umbrella?.content !== undefined) }] : []
  })
  const why = whyNoUmbrella(name, texts, sources, input)
  if (why !== undefined) {
    const names = sources.map(({ skill }) => skill.name)
    return refusal('consolidation', names, name, why)
  }
  return {
    name,
    existing,
    category: existing ? existing.category : (umbrella?.category ?? sharedCategory(sources)),
    content: umbrella?.content,
    files: umbrella?.files ?? [],
    sources,
    score: Math.min(1, ...said.map(({ score = 1 }) => score)),
  }
}

/** Drops repeated entries. */
const distinct = (said: readonly SaidConsolidation[]): readonly SaidConsolidation[] => [
  ...new Map(said.map((one) => [`${one.from}\n${one.into}`, one])).values(),
]

const planPruning = (said: SaidPruning, input: RulesInput): PlannedPruning | RefusedConsolidation => {
  const { answer, shown, library } = input
  const skill = shown.get(said.name)
  const isMerged = answer.consolidations.some(({ from, into }) => from === said.name || into === said.name)
  const why = !skill
    ? describeAbsent(said.name, library)
    : isMerged
      ? `'${said.name}' is part of a consolidation, so it is not archived separately.`
      : (skill.mustStay ?? whyNotPruned(skill.record, said.reason, input))
  if (why !== undefined || !skill) return refusal('pruning', [said.name], undefined, why ?? '')
  return { skill, reason: said.reason, score: said.score ?? 1 }
}

const isRefused = (planned: object): planned is RefusedConsolidation => 'why' in planned

export const planConsolidation = (input: RulesInput): ConsolidationPlan => {
  const { answer } = input
  const refused: RefusedConsolidation[] = answer.leftOut.map((why) => refusal('answer', [], undefined, why))
  const said = distinct(answer.consolidations)
  const allowed = new Map<string, SaidConsolidation[]>()
  for (const one of said) {
    const why = whyNotMerged(one, said, input)
    if (why !== undefined) refused.push(refusal('consolidation', [one.from], one.into, why))
    else allowed.set(one.into, [...(allowed.get(one.into) ?? []), one])
  }
  const umbrellas = [...allowed].map(([name, group]) => planUmbrella(name, group, input))
  const named = new Set(said.map(({ into }) => into))
  for (const { name } of answer.umbrellas) {
    if (!named.has(name))
      refused.push(refusal('umbrella', [], name, `Nothing was to be merged into '${name}', so its text was not written.`))
  }
  const prunings = [...new Map(answer.prunings.map((one) => [one.name, one])).values()].map((one) => planPruning(one, input))
  return {
    umbrellas: umbrellas.flatMap((one) => (isRefused(one) ? [] : [one])),
    prunings: prunings.flatMap((one) => (isRefused(one) ? [] : [one])),
    refused: [...refused, ...umbrellas.filter(isRefused), ...prunings.filter(isRefused)],
  }
}
