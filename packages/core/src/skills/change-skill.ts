/** Changes the skills of a home: each change is one update, with its usage record and the lines of its writer's log. */
import { callSafely } from '../shared/call-safely.ts'
import type { Clock } from '../shared/clock.ts'
import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { documentVersion } from '../storage/document-version.ts'
import { orError, readDocument } from '../storage/one-document.ts'
import type { Cut, Paths, Plan, StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import { readStoredRecord, writeStoredRecord } from '../usage/stored-record.ts'
import { applyRestore, applyState, applyUsageEvent, checkUsageName, newUsageRecord, type UsageRecord } from '../usage/usage-record.ts'
import { planSidecar, type SidecarDecoder, USAGE_PATHS, type UsageSidecar } from '../usage/usage-sidecar.ts'
import {
  changedMeanwhile,
  type ExpectedVersion,
  fileOf,
  findLeak,
  nextContent,
  planNewSkill,
  planSkill,
  type SkillChange,
  type SkillPlan,
} from './plan-skill.ts'
import { decodeSkillText, toShownText } from './read-skill.ts'
import { SKILL_FILE, SKILLS_FOLDER, toDocumentPath } from './skill-discovery.ts'
import type { SkillIndex, SkillSurvey } from './skill-index.ts'
import { atPresent, categoryConflict, lookUpSkill, nameTaken, onFreshSurvey, takenBy } from './skill-lookup.ts'
import type { SkillAuthor, SkillLog, SkillWrite } from './skill-op.ts'

/** The skills of a home, and where what is written to them is noted. */
export interface SkillLibrary {
  readonly storage: StorageBackend
  readonly index: SkillIndex
  readonly clock: Clock
  readonly sidecars: SidecarDecoder
  readonly log: (() => Promise<Result<SkillLog>>) | undefined
  readonly onProblem: (problem: HermesError) => void
}

/**
 * The record of a skill after a write; undefined: it stays as it is. A write that names no author counts only for a skill that has a record, so that what nobody
 * counts stays uncounted; a restore always counts.
 */
const recordAfter = (
  write: SkillWrite,
  current: UsageRecord | undefined,
  author: SkillAuthor | undefined,
  at: number,
): UsageRecord | undefined => {
  if (write.kind === 'restored') return applyRestore(current ?? newUsageRecord(at), at)
  if (!current && !author) return undefined
  // The record is that of the live skill with the same name.
  if (write.kind === 'archived') return write.isNameLive ? undefined : applyState(current ?? newUsageRecord(at), 'archived', at)
  if (write.op.action === 'create') return applyUsageEvent(undefined, 'create', at, author)
  const patched = applyUsageEvent(current, 'patch', at, author)
  const corrected = author?.corrects ? applyUsageEvent(patched, 'correction', at) : patched
  // Several changes after one failure are one repair.
  const isFirst = (current?.lastFailedAt ?? 0) > (current?.lastPatchedAt ?? 0)
  return author?.repairs && isFirst ? applyUsageEvent(corrected, 'repair', at) : corrected
}

const nameOf = (write: SkillWrite): string =>
  write.kind === 'changed' ? write.op.name : write.kind === 'archived' ? write.archived.name : write.restored.skill.name

const countWrite = (sidecar: UsageSidecar, write: SkillWrite, author: SkillAuthor | undefined, at: number): UsageSidecar => {
  const name = nameOf(write)
  // A hand-written name that no record can have.
  if (!checkUsageName(name).ok) return sidecar
  const stored = sidecar.get(name)
  const record = recordAfter(write, readStoredRecord(stored), author, at)
  const isNew = write.kind === 'changed' && write.op.action === 'create'
  return record ? new Map(sidecar).set(name, writeStoredRecord(isNew ? undefined : stored, record)) : sidecar
}

export interface SkillUpdate<T> extends Plan<T> {
  /** Undefined if nothing is written. */
  readonly written?: SkillWrite | undefined
}

/** What `plan` throws as a HermesError is the result; nothing is written then. A lifecycle change is `unreadable` while the usage sidecar is. */
export const updateSkills = async <T>(
  { storage, log, clock, sidecars, onProblem }: SkillLibrary,
  paths: Paths,
  plan: (cut: Cut) => SkillUpdate<T>,
  author?: SkillAuthor,
): Promise<Result<T>> => {
  const opened = await log?.()
  if (opened && !opened.ok) return opened
  const lines = opened?.value
  const at = clock()
  let aside: HermesError | undefined
  const done = await orError(() =>
    storage.update([...paths, ...USAGE_PATHS, ...(lines ? [lines.path] : [])], (cut) => {
      aside = undefined
      const { written, ...changed } = plan(cut)
      if (!written) return changed
      const usage = planSidecar(cut, sidecars, written.kind === 'changed' ? 'count' : 'decide', (sidecar) => ({
        sidecar: countWrite(sidecar, written, author, at),
        value: undefined,
      }))
      aside = usage.aside
      return { ...changed, put: { ...changed.put, ...usage.put }, ...(lines ? { append: { [lines.path]: lines.written(written) } } : {}) }
    }),
  )
  if (done.ok && aside) callSafely(onProblem, aside)
  return done
}

const toUpdate = (plan: SkillPlan, current: StoredDocument | undefined): SkillUpdate<SkillChange> => {
  const { op, skill, filePath, next, strategy, count } = plan
  const found = strategy === undefined || count === undefined ? {} : { strategy, count }
  const version = next && documentVersion({ bytes: next, executable: current?.executable ?? false })
  const value: SkillChange = { skill, filePath, before: current?.bytes, after: next, version, ...found }
  if (current && next ? equalBytes(current.bytes, next) : !current && !next) return { value }
  const { name } = skill
  const written: SkillWrite = {
    kind: 'changed',
    op: op.action === 'write_file' ? { ...op, name, content: toShownText(op.content) } : { ...op, name },
    before: current?.bytes,
  }
  return { put: { [toDocumentPath(skill, filePath)]: next ?? null }, value, written }
}

const ADVICE = { name: 'View it and patch it instead, or choose another name.', folder: 'Choose another name, or move them away first.' }

const newSkillConflict = ({ skill }: SkillPlan, survey: SkillSurvey): HermesError | undefined => {
  const planned = { folder: skill, name: skill.name }
  return takenBy(planned, survey, ADVICE) ?? categoryConflict(planned, survey, 'Choose another category, or none.')
}

/** `occupied` if the name or the folder is taken at the time; the first of several writers of one name succeeds. */
const commitNewSkill = async (library: SkillLibrary, plan: SkillPlan, author?: SkillAuthor): Promise<Result<SkillChange>> => {
  const leak = findLeak(plan, undefined)
  if (leak) return err(leak)
  const path = toDocumentPath(plan.skill)
  return onFreshSurvey(library.index, (survey, isLast) =>
    updateSkills<SkillChange | undefined>(
      library,
      [path, `${SKILLS_FOLDER}/`],
      (cut) => {
        const present = atPresent(survey, cut.list(SKILLS_FOLDER), isLast)
        if (!present) return { value: undefined }
        const conflict = newSkillConflict(plan, present) ?? (cut.document(path) && nameTaken(plan.skill.name, [plan.skill], ADVICE))
        if (conflict) throw conflict
        return toUpdate(plan, undefined)
      },
      author,
    ),
  )
}

const gone = (path: string): HermesError =>
  new HermesError('not_found', `'${path}' no longer exists: it was moved or removed in the meantime. List the skills again.`, {
    details: { path },
  })

const nameIn = (bytes: Uint8Array): string | undefined => /^name:[ \t]*(.*?)\s*$/m.exec(decodeSkillText(bytes) ?? '')?.[1]

/** The error if the SKILL.md is not that of the skill that was meant, since another one may have taken its place. A patch of SKILL.md itself may meet a newer text. */
const problemOf = (now: StoredDocument | undefined, { op, skill, filePath, current, skillVersion }: SkillPlan): HermesError | undefined => {
  const path = toDocumentPath(skill)
  if (!now) return gone(filePath === SKILL_FILE ? path : `${SKILLS_FOLDER}/${skill.path}`)
  if (filePath !== SKILL_FILE) return documentVersion(now) === skillVersion ? undefined : changedMeanwhile(path)
  return op.action === 'patch' && current && nameIn(now.bytes) !== nameIn(current.bytes) ? gone(path) : undefined
}

const isAsSeen = (current: StoredDocument | undefined, { current: seen }: SkillPlan): boolean =>
  current && seen ? equalBytes(current.bytes, seen.bytes) : !current && !seen

/** `drift` if the file, or the SKILL.md beside it, is not as it was planned on. With `repatch`, a patch is applied to what the file holds now: patches of different places are all kept. */
const commitChange = async (
  library: SkillLibrary,
  plan: SkillPlan,
  repatch: boolean,
  author?: SkillAuthor,
): Promise<Result<SkillChange>> => {
  const leak = findLeak(plan, plan.current?.bytes)
  if (leak) return err(leak)
  const [path, skillPath] = [toDocumentPath(plan.skill, plan.filePath), toDocumentPath(plan.skill)]
  const planned = (cut: Cut): SkillUpdate<SkillChange> => {
    const problem = problemOf(cut.document(skillPath), plan)
    if (problem) throw problem
    const current = cut.document(path)
    if (isAsSeen(current, plan)) return toUpdate(plan, current)
    if (!current && plan.op.action === 'patch') throw gone(path)
    if (!current || !repatch || plan.op.action !== 'patch') throw changedMeanwhile(path)
    const next = nextContent(plan.op, plan, current.bytes)
    if (!next.ok) throw next.error
    const again = { ...plan, ...next.value }
    const leaked = findLeak(again, current.bytes)
    if (leaked) throw leaked
    return toUpdate(again, current)
  }
  return updateSkills(library, [...new Set([path, skillPath])], planned, author)
}

/** Reads what an operation is planned on, and plans it. Writes nothing. */
export const planChange = async (
  { storage, index }: Pick<SkillLibrary, 'storage' | 'index'>,
  op: SkillPlan['op'],
  expected?: ExpectedVersion,
): Promise<Result<SkillPlan>> => {
  if (op.action === 'create') {
    const planned = planNewSkill(op)
    if (!planned.ok) return planned
    const surveyed = await index.survey()
    if (!surveyed.ok) return surveyed
    const conflict = newSkillConflict(planned.value, surveyed.value)
    return conflict ? err(conflict) : planned
  }
  const found = await lookUpSkill(storage, index, op.name)
  if (!found.ok) return found
  const filePath = fileOf(op)
  if (!filePath.ok) return filePath
  const { skill } = found.value
  const file = filePath.value === SKILL_FILE ? ok(skill) : await readDocument(storage, toDocumentPath(skill, filePath.value))
  return file.ok ? planSkill(op, { found: found.value, file: file.value, filePath: filePath.value }, expected) : file
}

/** Carries out a plan on exactly the version that it was made for. */
export const commitPlan = (library: SkillLibrary, plan: SkillPlan, author?: SkillAuthor): Promise<Result<SkillChange>> =>
  plan.op.action === 'create' ? commitNewSkill(library, plan, author) : commitChange(library, plan, false, author)

/** Plans and carries out. */
export const changeSkill = async (library: SkillLibrary, op: SkillPlan['op'], expected?: ExpectedVersion): Promise<Result<SkillChange>> => {
  const planned = op.action === 'create' ? planNewSkill(op) : await planChange(library, op, expected)
  if (!planned.ok) return planned
  return op.action === 'create' ? commitNewSkill(library, planned.value) : commitChange(library, planned.value, true)
}
