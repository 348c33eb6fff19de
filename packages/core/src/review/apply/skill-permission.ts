/** Decides whether a skill may be changed at all, whatever the text: who owns it, and whether an unattended writer has read what it changes. */

import { newPlace, refuseNewSkillText, wordsOfPlace } from '../../gate/skill-text.ts'
import { readOwnershipMarks } from '../../ownership/ownership-marks.ts'
import { describeProtection, judgeOwnership, type SkillOwnership } from '../../ownership/skill-ownership.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { ok, type Result } from '../../shared/result.ts'
import { SKILL_FILE, toDocumentPath } from '../../skills/skill-discovery.ts'
import { MAX_SKILL_CHARS } from '../../skills/skill-document.ts'
import type { SkillListEntry } from '../../skills/skill-index.ts'
import { isSameName } from '../../skills/skill-lookup.ts'
import type { SkillOp } from '../../skills/skill-op.ts'
import { sharedNames } from '../propose/shared-names.ts'
import type { SkillDisposeDeps } from './dispose-deps.ts'
import type { SkillPlan } from './skill-plan.ts'

const textsOf = (op: SkillOp): readonly string[] => ('content' in op ? [op.content] : op.action === 'patch' ? [op.oldText, op.newText] : [])

/** `over_limit` if a text is longer than any file of a skill may be. A cheap check for texts of any length. */
export const skillTextTooLong = (op: SkillOp): HermesError | undefined => {
  const chars = Math.max(0, ...textsOf(op).map(({ length }) => length))
  // UTF-16 units; each code point takes at most two. The store counts exactly.
  if (chars <= 2 * MAX_SKILL_CHARS) return undefined
  const message = `This text has ${chars.toLocaleString('en')} characters; a file of a skill holds at most ${MAX_SKILL_CHARS.toLocaleString('en')}. Split it into support files.`
  return new HermesError('over_limit', message, { details: { chars, maxChars: MAX_SKILL_CHARS } })
}

/**
 * A reason if new text, or the name of a new folder or file, contains a credential or a threat, alone or combined with the existing text. Unchanged text is
 * not checked.
 */
export const refuseSkillText = ({ op, current, next }: Pick<SkillPlan, 'op' | 'current' | 'next'>): string | undefined => {
  if (next === undefined) return undefined
  const place = newPlace(op, current?.text)
  const ofPlace = place === undefined ? undefined : refuseNewSkillText('', `${place}\n${wordsOfPlace(place)}`)
  return ofPlace ?? refuseNewSkillText(current?.text ?? '', next)
}

const readOwnership = async ({ skill }: SkillPlan, { storage, usage, clock }: SkillDisposeDeps): Promise<Result<SkillOwnership>> => {
  const marks = await readOwnershipMarks(storage, clock ? { clock } : {})
  if (!marks.ok) return marks
  const records = await usage.load()
  return records.ok ? ok(judgeOwnership(skill, records.value.get(skill.name), marks.value)) : records
}

/** Why an unattended writer may not change the skill, or undefined. */
const whyNotItsOwn = async ({ skill: { name } }: SkillPlan, { protection }: SkillOwnership, { store }: SkillDisposeDeps) => {
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
export const whyProtected = async (plan: SkillPlan, skills: SkillDisposeDeps, writer: SkillWriter): Promise<Result<string | undefined>> => {
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
export const whyUnseen = (plan: SkillPlan, shown: SkillDisposeDeps['shown']): string | undefined => {
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
export const whyHiding = async ({ op, skill: { name } }: SkillPlan, { reader }: SkillDisposeDeps): Promise<string | undefined> => {
  if (op.action !== 'create' || !reader) return undefined
  const listed = await reader.list()
  const isHidden = (shared: SkillListEntry) =>
    shared.sharedFrom !== undefined && [shared.name, shared.folderName].some((other) => isSameName(other, name))
  if (!listed.ok || !listed.value.skills.some(isHidden)) return undefined
  return `It would take the place of the shared skill '${name}', so a person decides.`
}
