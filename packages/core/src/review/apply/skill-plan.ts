/** A change of a skill as a review plans it, and whether it may be made at all, whatever the text: who owns the skill, and whether an unattended writer has read what it changes. Writes nothing. */

import { describeProtection, judgeOwnership, readOwnershipMarks, type SkillOwnership } from '../../ownership/skill-ownership.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { parseSkillDocument } from '../../skills/parse-skill-document.ts'
import type { SkillPlan as FilePlan } from '../../skills/plan-skill.ts'
import { decodeSkillText } from '../../skills/read-skill.ts'
import { SKILL_FILE, toDocumentPath } from '../../skills/skill-discovery.ts'
import { MAX_SKILL_CHARS } from '../../skills/skill-document.ts'
import type { SkillListEntry } from '../../skills/skill-index.ts'
import { isSameName, isSkillMissing } from '../../skills/skill-lookup.ts'
import type { SkillOp } from '../../skills/skill-op.ts'
import type { SkillReader } from '../../skills/skill-reader.ts'
import { fileTooLarge, type SkillView } from '../../skills/skill-view.ts'
import { MAX_SUPPORT_FILE_BYTES } from '../../skills/support-file.ts'
import type { WritableSkills } from './disposal-options.ts'

/** The current state of a file. */
interface SeenFile {
  readonly text: string
  /** Opaque, from the storage. */
  readonly version: string
}

export interface SkillPlan extends Pick<FilePlan, 'skill' | 'filePath' | 'skillVersion' | 'count'> {
  readonly op: SkillOp
  /** For the store, which carries it out. */
  readonly planned: FilePlan
  /** The file concerned; undefined if it does not exist yet. */
  readonly current: SeenFile | undefined
  /** The new text of the file; undefined for an operation that writes no text. */
  readonly next: string | undefined
}

/** The journal keeps previous contents as text, so a file that is not text could not be restored. */
const notText = (filePath: string, name: string): HermesError =>
  new HermesError(
    'unreadable',
    `'${filePath}' of the skill '${name}' is not text, so a change could not be undone. Use another file, or change that one by hand.`,
  )

/** A skill may not be renamed: counts, pins and authorship are stored under its name. */
const renames = ({ skill, filePath }: FilePlan, next: string | undefined): HermesError | undefined => {
  const name = next === undefined || filePath !== SKILL_FILE ? skill.name : parseSkillDocument(next, skill).name
  if (name === skill.name) return undefined
  const message = `This would rename the skill '${skill.name}' to '${name.slice(0, 80)}', and its usage counts would be lost. Keep the name in the front matter; for another name create a new skill and archive this one.`
  return new HermesError('invalid', message, { details: { name: skill.name } })
}

/** The error for a skill that the home does not have. If it is a shared skill, `refuse` gives the reason. */
const missingOrShared = async (
  name: string,
  reader: SkillReader | undefined,
  missing: HermesError,
  refuse: (shared: SkillView) => HermesError,
): Promise<HermesError> => {
  if (!reader || !isSkillMissing(missing)) return missing
  const seen = await reader.view(name)
  return seen.ok && seen.value.sharedFrom !== undefined ? refuse(seen.value) : missing
}

const readOnly = ({ name }: SkillView): HermesError =>
  new HermesError(
    'read_only',
    `The skill '${name}' is shared and read-only here, so it stays as it is. To change it, create a skill of this name with the whole text: it takes the shared one's place.`,
    { details: { name } },
  )

const sharedAbsorber = ({ name }: SkillView): HermesError =>
  new HermesError('read_only', `The skill '${name}' is shared, so it cannot absorb a skill of this home. Archive without naming it.`, {
    details: { name },
  })

type Skills = Pick<WritableSkills, 'store' | 'reader'>

const checkAbsorber = async (op: SkillOp, { store, reader }: Skills, { skill }: FilePlan): Promise<HermesError | undefined> => {
  if (op.action !== 'archive' || op.absorbedInto === undefined) return undefined
  const absorber = await store.view(op.absorbedInto)
  if (!absorber.ok) return missingOrShared(op.absorbedInto, reader, absorber.error, sharedAbsorber)
  if (absorber.value.path !== skill.path) return undefined
  return new HermesError('invalid', `The skill '${skill.name}' cannot be absorbed into itself. Name the skill that holds its content now.`)
}

const readCurrent = ({ skill, filePath, current }: FilePlan): Result<SeenFile | undefined> => {
  if (!current) return ok(undefined)
  const { bytes, version } = current
  if (bytes.length > MAX_SUPPORT_FILE_BYTES) return err(fileTooLarge(toDocumentPath(skill, filePath), bytes.length))
  const text = decodeSkillText(bytes)
  return text === undefined ? err(notText(filePath, skill.name)) : ok({ text, version })
}

/**
 * Errors are the store's own (`not_found`, `ambiguous`, `occupied`, `invalid`, `unreadable`, `over_limit`, patch errors), and `read_only`
 * for a shared skill.
 */
export const planSkillChange = async (op: SkillOp, skills: Skills): Promise<Result<SkillPlan>> => {
  const made = await skills.store.plan(op)
  if (!made.ok) return err(await missingOrShared(op.name, skills.reader, made.error, readOnly))
  const planned = made.value
  const { skill, filePath, skillVersion, count } = planned
  const current = readCurrent(planned)
  if (!current.ok) return current
  const next = planned.next && decodeSkillText(planned.next)
  const unfit = renames(planned, next) ?? (await checkAbsorber(op, skills, planned))
  if (unfit) return err(unfit)
  return ok({ op, planned, skill, filePath, skillVersion, current: current.value, next, ...(count === undefined ? {} : { count }) })
}

// Whether it may be made.

const textsOf = (op: SkillOp): readonly string[] => ('content' in op ? [op.content] : op.action === 'patch' ? [op.oldText, op.newText] : [])

/** `over_limit` if a text is longer than any file of a skill may be. A cheap check for texts of any length. */
export const skillTextTooLong = (op: SkillOp): HermesError | undefined => {
  const chars = Math.max(0, ...textsOf(op).map(({ length }) => length))
  // UTF-16 units; each code point takes at most two. The store counts exactly.
  if (chars <= 2 * MAX_SKILL_CHARS) return undefined
  const message = `This text has ${chars.toLocaleString('en')} characters; a file of a skill holds at most ${MAX_SKILL_CHARS.toLocaleString('en')}. Split it into support files.`
  return new HermesError('over_limit', message, { details: { chars, maxChars: MAX_SKILL_CHARS } })
}

const readOwnership = async ({ skill }: SkillPlan, { storage, usage, clock }: WritableSkills): Promise<Result<SkillOwnership>> => {
  const marks = await readOwnershipMarks(storage, clock ? { clock } : {})
  if (!marks.ok) return marks
  const records = await usage.load()
  return records.ok ? ok(judgeOwnership(skill, records.value.get(skill.name), marks.value)) : records
}

/** Names that several skills share. Authorship is stored by name alone, so it is unknown for these skills. */
export const sharedNames = (skills: readonly { readonly name: string }[]): ReadonlySet<string> => {
  const seen = new Set<string>()
  return new Set(skills.filter(({ name }) => seen.size === seen.add(name).size).map(({ name }) => name))
}

/** Why an unattended writer may not change the skill, or undefined. */
const whyNotItsOwn = async ({ skill: { name } }: SkillPlan, { protection }: SkillOwnership, { store }: WritableSkills) => {
  if (protection) return ok(describeProtection(protection, name))
  const listed = await store.list()
  if (!listed.ok) return listed
  if (!sharedNames(listed.value.skills).has(name)) return ok(undefined)
  return ok(
    `Several skills are called '${name}', and it is unknown which of them the agent wrote, so nothing may change them automatically.`,
  )
}

/**
 * Who requests the change. `unattended`: a review. `attended`: the agent or its host, in front of the user, through the gate. `person`: the change was held,
 * and a person approved it.
 */
export type SkillWriter = 'unattended' | 'attended' | 'person'

const CAME_FROM = { bundled: 'came with the product', hub: 'was installed from a hub', agent: undefined, user: undefined } as const

/**
 * Why the skill may not be changed, or undefined. A pinned skill is changed only by a person. Unattended writers change only skills that the agent wrote or
 * that were handed over. Pinned, bundled and hub skills are never archived here. An error if the marks or records cannot be read: nothing may be written
 * then.
 */
export const whyProtected = async (plan: SkillPlan, skills: WritableSkills, writer: SkillWriter): Promise<Result<string | undefined>> => {
  const { action } = plan.op
  if (action === 'create' || (writer === 'person' && action !== 'archive')) return ok(undefined)
  const ownership = await readOwnership(plan, skills)
  if (!ownership.ok) return ownership
  if (writer === 'unattended') return whyNotItsOwn(plan, ownership.value, skills)
  const { name } = plan.skill
  const { owner, pinned } = ownership.value
  if (pinned) return ok(`The skill '${name}' is pinned, so it stays as it is. Only a person can unpin it.`)
  const cameFrom = action === 'archive' ? CAME_FROM[owner] : undefined
  return ok(cameFrom && `The skill '${name}' ${cameFrom}, so it is not archived here. Remove it at its source.`)
}

/** Why an unattended writer may not change this file, or undefined: it must have been shown the current version; for a new file that of the SKILL.md. */
export const whyUnseen = (plan: SkillPlan, shown: WritableSkills['shown']): string | undefined => {
  const { op, skill, filePath, current, skillVersion } = plan
  if (shown === undefined || op.action === 'create') return undefined
  const file = current ? filePath : SKILL_FILE
  const path = toDocumentPath(skill, file)
  const seen = shown.get(path)
  if (seen === undefined) return `'${path}' was not shown in full, and no file is changed unread.`
  if (seen === (current ? current.version : skillVersion)) return undefined
  return `'${path}' has changed since it was read, so the change no longer fits what is there. Nothing was written.`
}

/** Why a person should review a new skill before it is written, or undefined: it would hide a shared skill that others wrote. */
export const whyHiding = async ({ op, skill: { name } }: SkillPlan, { reader }: WritableSkills): Promise<string | undefined> => {
  if (op.action !== 'create' || !reader) return undefined
  const listed = await reader.list()
  const isHidden = (shared: SkillListEntry) =>
    shared.sharedFrom !== undefined && [shared.name, shared.folderName].some((other) => isSameName(other, name))
  if (!listed.ok || !listed.value.skills.some(isHidden)) return undefined
  return `It would take the place of the shared skill '${name}', so a person decides.`
}
