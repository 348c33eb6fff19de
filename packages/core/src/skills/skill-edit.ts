/** Replaces or patches the SKILL.md of an existing skill; the result may not be worse than before (reference skills-curator 6 and 7). */

import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import { changeSkillFile, type FilePlan, type SkillChange, unlessChanged } from './skill-change.ts'
import { checkNoNewCredential } from './skill-credentials.ts'
import { SKILL_FILE, toDocumentPath } from './skill-discovery.ts'
import { checkSkillEdit } from './skill-document-check.ts'
import { patchSkillText, type SkillPatch, type SkillPatchOutcome } from './skill-patch.ts'
import type { ReadSkill } from './skill-read.ts'
import { decodeSkillText, encodeSkillText } from './skill-text.ts'
import { checkSupportFileSize } from './support-file-size.ts'

export type SkillPatchChange = SkillChange & Pick<SkillPatchOutcome, 'strategy' | 'count'>

export const toChanged = (skill: ReadSkill): SkillChange['skill'] => ({
  path: skill.path,
  folderName: skill.folderName,
  category: skill.category,
  name: skill.document.name,
})

const gone = (path: string): HermesError =>
  new HermesError('not_found', `'${path}' is not there any more: it was moved or removed in the meantime. List the skills again.`, {
    details: { path },
  })

const notText = (path: string): HermesError =>
  new HermesError('unreadable', `'${path}' is not text in UTF-8, so no part of it can be patched. Write the whole file instead.`, {
    details: { path },
  })

/** Replaces the whole SKILL.md, only if it is still the one that was read. */
export const editSkill = async (storage: StorageBackend, skill: ReadSkill, content: string): Promise<Result<SkillChange>> => {
  const path = toDocumentPath(skill)
  const bytes = encodeSkillText(content, path)
  if (!bytes.ok) return bytes
  const checked = checkSkillEdit(skill.text, content, skill.folderName)
  if (!checked.ok) return checked
  const clean = checkNoNewCredential(path, skill.bytes, bytes.value)
  if (!clean.ok) return clean
  const write = unlessChanged(skill.bytes, path, () => bytes)
  return changeSkillFile(storage, { skill: toChanged(skill), filePath: SKILL_FILE }, (current) =>
    current ? write(current) : err(gone(path)),
  )
}

interface PatchTarget {
  readonly skill: ReadSkill
  readonly filePath: string
  /** The file as it was read. */
  readonly seen: Uint8Array
}

const checkPatch = ({ oldText, newText }: SkillPatch): HermesError | undefined =>
  typeof oldText === 'string' && typeof newText === 'string'
    ? undefined
    : new HermesError('invalid', "A patch needs 'oldText' and 'newText', both of them text; an empty new text deletes the old one.")

interface Patched extends Pick<SkillPatchOutcome, 'strategy' | 'count'> {
  readonly bytes: Uint8Array
}

const patchBytes = (before: Uint8Array, { skill, filePath }: PatchTarget, patch: SkillPatch): Result<Patched> => {
  const path = toDocumentPath(skill, filePath)
  const text = decodeSkillText(before)
  if (text === undefined) return err(notText(path))
  const patched = patchSkillText(text, patch)
  if (!patched.ok) return patched
  const { result, strategy, count } = patched.value
  const checked = filePath === SKILL_FILE ? checkSkillEdit(text, result, skill.folderName) : ok(undefined)
  if (!checked.ok) return checked
  const bytes = encodeSkillText(result, path)
  if (!bytes.ok) return bytes
  const clean = checkNoNewCredential(path, before, bytes.value)
  if (!clean.ok) return clean
  const sized = filePath === SKILL_FILE ? bytes : checkSupportFileSize(path, bytes.value, before)
  return sized.ok ? ok({ bytes: sized.value, strategy, count }) : sized
}

/** Patches what the file holds at the moment of writing, so that concurrent patches of different places are both kept. */
export const patchSkillFile = async (
  storage: StorageBackend,
  target: PatchTarget,
  patch: SkillPatch,
): Promise<Result<SkillPatchChange>> => {
  const { skill, filePath, seen } = target
  const unusable = checkPatch(patch)
  if (unusable) return err(unusable)
  // Outside the lock: matching may be slow.
  const expected = patchBytes(seen, target, patch)
  const held: { patched: Result<Patched> } = { patched: expected }
  const plan: FilePlan = (current: StoredDocument | undefined) => {
    if (!current) held.patched = err(gone(toDocumentPath(skill, filePath)))
    else held.patched = equalBytes(current.bytes, seen) ? expected : patchBytes(current.bytes, target, patch)
    return held.patched.ok ? ok(held.patched.value.bytes) : held.patched
  }
  const changed = await changeSkillFile(storage, { skill: toChanged(skill), filePath }, plan)
  if (!changed.ok) return changed
  if (!held.patched.ok) return held.patched
  const { strategy, count } = held.patched.value
  return ok({ ...changed.value, strategy, count })
}
