/**
 * Finishes merges that a person has approved: if the umbrella reads exactly as proposed, copies the files of its sources to it and
 * archives them. Neither the model nor the gate is called again.
 */
import type { Verdict } from '../../gate/review-gate.ts'
import { equalBytes } from '../../shared/equal-bytes.ts'
import { ok, type Result } from '../../shared/result.ts'
import { parseSkillDocument } from '../../skills/parse-skill-document.ts'
import { encodeSkillText } from '../../skills/read-skill.ts'
import { type ConsolidationLibrary, readConsolidationLibrary, readShown, type ShownSkill } from '../library.ts'
import { isAboutThePlan, loadPackage, loadPackages } from '../plan/load.ts'
import { type PreparedUmbrella, prepareUmbrella, type SkillPackage } from '../plan/prepare.ts'
import type { PlannedSource } from '../plan/rules.ts'
import { markOfSkill } from '../propose/settled.ts'
import type { ConsolidationPass } from '../run.ts'
import { commitUmbrella } from './carry-out.ts'
import { dropWaiting, readWaiting, type WaitingMerge } from './waiting.ts'

const APPROVED: Verdict = { verdict: 'approve', reason: 'A person approved the umbrella.', origin: 'user' }

/** `undefined` if a source has changed or may no longer be archived: the approval was for the earlier text. */
const readSources = async (
  { sources }: WaitingMerge,
  { mergeable }: ConsolidationLibrary,
  { storage }: ConsolidationPass,
): Promise<Result<readonly PlannedSource[] | undefined>> => {
  const read = await readShown(
    storage,
    sources.flatMap(({ name }) => mergeable.get(name) ?? []),
  )
  if (!read.ok) return read
  const planned = sources.flatMap(({ name, mark, method, reason }): PlannedSource[] => {
    const skill = read.value.find((each) => each.name === name)
    return skill && skill.mustStay === undefined && markOfSkill(skill, skill.text) === mark ? [{ skill, method, reason }] : []
  })
  return ok(planned.length === sources.length ? planned : undefined)
}

/** The umbrella as it was when the merge was proposed, without the files that were approved with it. */
const asItWas = ({ skill, files }: SkillPackage, text: string, approved: WaitingMerge['files']): SkillPackage => {
  const { description } = parseSkillDocument(text, skill)
  return {
    skill: { ...skill, description, text, bytes: new TextEncoder().encode(text) },
    files: new Map([...files].filter(([path]) => !approved.some((each) => each.path === path))),
  }
}

/** Whether everything that was held together is in the library: the text and each file written by the model. */
const isApproved = (prepared: PreparedUmbrella, { skill, files }: SkillPackage, approved: WaitingMerge['files']): boolean =>
  prepared.folder.path === skill.path &&
  prepared.content === skill.text &&
  approved.every(({ path, content }) => {
    const bytes = encodeSkillText(content, path)
    const there = files.get(path)
    return bytes.ok && there !== undefined && equalBytes(there, bytes.value)
  })

/** Prepares the same plan on the same skills, which gives the same text and files, so that the missing ones are known. */
const prepareAgain = async (
  waiting: WaitingMerge,
  now: ShownSkill,
  sources: readonly PlannedSource[],
  { storage }: ConsolidationPass,
): Promise<Result<PreparedUmbrella | undefined>> => {
  const whole = await loadPackage(now, storage)
  if (!whole.ok) return whole
  const packages = await loadPackages(
    sources.map(({ skill }) => skill),
    storage,
  )
  if (!packages.ok) return packages
  const { name, category, content, files, score } = waiting
  const umbrella = waiting.before === null ? undefined : asItWas(whole.value, waiting.before, files)
  const plan = { name, existing: umbrella && now, category, content, files, score, sources }
  const prepared = prepareUmbrella(plan, umbrella, packages.value)
  if (!prepared.ok) return prepared
  if (!isApproved(prepared.value, whole.value, files)) return ok(undefined)
  const writes = prepared.value.writes.filter(({ filePath }) => !files.some(({ path }) => path === filePath))
  return ok({ ...prepared.value, before: { text: now.text, version: now.version }, writes, written: [] })
}

/** Returns whether the merge is over, finished or not. */
const resumeOne = async (waiting: WaitingMerge, library: ConsolidationLibrary, pass: ConsolidationPass): Promise<Result<boolean>> => {
  const sources = await readSources(waiting, library, pass)
  if (!sources.ok) return sources
  if (!sources.value) {
    const names = waiting.sources.map(({ name }) => name)
    const why = `Some of them have changed since '${waiting.name}' was proposed, so approving it no longer archives any of them.`
    pass.run.refused.push({ kind: 'consolidation', names, into: waiting.name, why })
    return ok(true)
  }
  const umbrella = library.mergeable.get(waiting.name)
  const read = await readShown(pass.storage, umbrella ? [umbrella] : [])
  if (!read.ok) return read
  const [now] = read.value
  if (!now) return ok(false)
  const prepared = await prepareAgain(waiting, now, sources.value, pass)
  if (!prepared.ok) return isAboutThePlan(prepared.error) ? ok(false) : prepared
  if (!prepared.value) return ok(false)
  const done = await commitUmbrella(prepared.value, [], APPROVED, pass)
  return done.ok ? ok(true) : done
}

/** Runs before the model is called. An error ends the whole pass. */
export const resumeApproved = async (pass: ConsolidationPass): Promise<Result<void>> => {
  const waiting = await readWaiting(pass.storage)
  if (!waiting.ok) pass.run.problems.push(waiting.error)
  const ended: WaitingMerge[] = []
  let outcome: Result<unknown> = ok(undefined)
  let library: Result<ConsolidationLibrary> | undefined
  for (const each of waiting.ok ? waiting.value : []) {
    library ??= await readConsolidationLibrary(pass)
    const resumed = library.ok ? await resumeOne(each, library.value, pass) : library
    outcome = resumed
    if (!resumed.ok) break
    if (!resumed.value) continue
    ended.push(each)
    // The merge may have moved skills, so the next one reads the library anew.
    library = undefined
  }
  const dropped = pass.dryRun || ended.length === 0 ? ok(undefined) : await dropWaiting(pass.storage, ended)
  if (!dropped.ok) pass.run.problems.push(dropped.error)
  return outcome.ok ? ok(undefined) : outcome
}
