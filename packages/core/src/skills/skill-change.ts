/** Changes one document of a skill in one atomic step, and returns what it held before and after. */

import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { ok, type Result } from '../shared/result.ts'
import { documentVersion } from '../storage/document-version.ts'
import { UNCHANGED, updateDocument } from '../storage/one-document.ts'
import type { StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import type { SkillPatchOutcome } from './patch/patch-skill.ts'
import { type SkillFolder, toDocumentPath } from './skill-discovery.ts'

export interface SkillChange {
  readonly skill: SkillFolder & { readonly name: string }
  /** Path inside the skill's folder; `SKILL.md` for the skill itself. */
  readonly filePath: string
  /** `undefined` if there was no file. */
  readonly before: Uint8Array | undefined
  /** `undefined` if the file was removed. */
  readonly after: Uint8Array | undefined
  /** Version of the present file; opaque. */
  readonly version: string | undefined
  /** For a patch: how its text was found, and the number of places replaced. */
  readonly strategy?: SkillPatchOutcome['strategy']
  readonly count?: number
}

/** Returns the next bytes, `undefined` to remove the file, or an error. Pure: it may be called more than once. */
export type FilePlan = (current: StoredDocument | undefined) => Result<Uint8Array | undefined>

export const changeSkillFile = async (
  storage: StorageBackend,
  { skill, filePath }: Pick<SkillChange, 'skill' | 'filePath'>,
  plan: FilePlan,
): Promise<Result<SkillChange>> => {
  const held: { before: Uint8Array | undefined; planned: Result<Uint8Array | undefined> } = { before: undefined, planned: ok(undefined) }
  const updated = await updateDocument(storage, toDocumentPath(skill, filePath), (current) => {
    held.before = current?.bytes
    held.planned = plan(current)
    if (!held.planned.ok) return UNCHANGED
    const next = held.planned.value
    const isSame = current && next ? equalBytes(current.bytes, next) : current === next
    return isSame ? UNCHANGED : next
  })
  if (!updated.ok) return updated
  if (!held.planned.ok) return held.planned
  return ok({ skill, filePath, before: held.before, after: held.planned.value, version: updated.value && documentVersion(updated.value) })
}

export const changedMeanwhile = (path: string): HermesError =>
  new HermesError('drift', `'${path}' was changed by another writer in the meantime. Nothing was written; view it again, then retry.`, {
    details: { path },
  })

/** Undoes a write, unless somebody has changed the file since. */
export const takeBack = async (storage: StorageBackend, { skill, filePath, after }: SkillChange): Promise<Result<unknown>> =>
  changeSkillFile(storage, { skill, filePath }, (current) =>
    ok(current && after && equalBytes(current.bytes, after) ? undefined : current?.bytes),
  )

export interface ExpectedVersion {
  /** The file's version as viewed, null for none: fails with `drift` if it has changed. Default: its version when the call begins. */
  readonly version?: string | null
}
