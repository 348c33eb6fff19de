/** Writes, patches and removes support files (reference skills-curator 6 and 8). */

import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { StorageBackend, StoredDocument } from '../storage/storage-backend.ts'
import { changedMeanwhile, changeSkillFile, type SkillChange, takeBack, unlessChanged } from './skill-change.ts'
import { checkNoNewCredential } from './skill-credentials.ts'
import { toDocumentPath } from './skill-discovery.ts'
import { patchSkillFile, type SkillPatchChange, toChanged } from './skill-edit.ts'
import type { FoundSkill } from './skill-lookup.ts'
import type { SkillPatch } from './skill-patch.ts'
import { readSkill } from './skill-read.ts'
import { encodeSkillText } from './skill-text.ts'
import { supportFileMissing } from './support-file-missing.ts'
import { checkSupportFilePath } from './support-file-path.ts'
import { checkSupportFileSize } from './support-file-size.ts'

export interface ExpectedVersion {
  /** The file's version as viewed, null for none: fails with `drift` if it has changed. Default: its version when the call begins. */
  readonly version?: string | null
}

export const checkVersion = (path: string, current: string | undefined, { version }: ExpectedVersion): HermesError | undefined =>
  version === undefined || (version ?? undefined) === current ? undefined : changedMeanwhile(path)

const readSupportFile = async (
  storage: StorageBackend,
  { skill }: FoundSkill,
  filePath: string,
): Promise<Result<StoredDocument | undefined>> => {
  const checked = checkSupportFilePath(filePath)
  if (!checked.ok) return checked
  const path = toDocumentPath(skill, filePath)
  const read = await storage.read(path)
  if (!read.ok || !read.value || !equalBytes(read.value.bytes, skill.bytes)) return read
  // A link to SKILL.md would overwrite the skill without its checks.
  const message = `'${path}' is the SKILL.md again, by a link or as a copy, so it was not touched. Patch the skill itself, or let a person remove that file.`
  return err(new HermesError('invalid_path', message, { details: { path } }))
}

// A copy: the caller may reuse its buffer while the file is being written.
const toBytes = (content: string | Uint8Array, path: string): Result<Uint8Array> =>
  ArrayBuffer.isView(content) ? ok(new Uint8Array(content)) : encodeSkillText(content, path)

/** Creates or replaces the file; a concurrent change of another writer fails with `drift`. */
export const writeSupportFile = async (
  storage: StorageBackend,
  found: FoundSkill,
  filePath: string,
  content: string | Uint8Array,
  expected: ExpectedVersion,
): Promise<Result<SkillChange>> => {
  const { skill } = found
  const read = await readSupportFile(storage, found, filePath)
  if (!read.ok) return read
  const path = toDocumentPath(skill, filePath)
  const other = checkVersion(path, read.value?.version, expected)
  if (other) return err(other)
  const encoded = toBytes(content, path)
  if (!encoded.ok) return encoded
  const bytes = checkSupportFileSize(path, encoded.value, read.value?.bytes)
  if (!bytes.ok) return bytes
  const clean = checkNoNewCredential(path, read.value?.bytes, bytes.value)
  if (!clean.ok) return clean
  const written = await changeSkillFile(
    storage,
    { skill: toChanged(skill), filePath },
    unlessChanged(read.value?.bytes, path, () => bytes),
  )
  if (!written.ok || written.value.before) return written
  // If the skill was moved away in between, its file must not be left behind.
  const still = await readSkill(storage, skill)
  if (still) return written
  const withdrawn = await takeBack(storage, written.value)
  return withdrawn.ok ? err(missingSkill(skill.path)) : withdrawn
}

const missingSkill = (path: string): HermesError =>
  new HermesError('not_found', `The skill '${path}' was moved or removed in the meantime. Nothing was written; list the skills again.`, {
    details: { path },
  })

export const patchSupportFile = async (
  storage: StorageBackend,
  found: FoundSkill,
  filePath: string,
  patch: SkillPatch,
): Promise<Result<SkillPatchChange>> => {
  const read = await readSupportFile(storage, found, filePath)
  if (!read.ok) return read
  if (!read.value) return err(supportFileMissing(found, filePath))
  return patchSkillFile(storage, { skill: found.skill, filePath, seen: read.value.bytes }, patch)
}

/** The removed bytes are in `before`. */
export const removeSupportFile = async (
  storage: StorageBackend,
  found: FoundSkill,
  filePath: string,
  expected: ExpectedVersion,
): Promise<Result<SkillChange>> => {
  const read = await readSupportFile(storage, found, filePath)
  if (!read.ok) return read
  if (!read.value) return err(supportFileMissing(found, filePath))
  const path = toDocumentPath(found.skill, filePath)
  const other = checkVersion(path, read.value.version, expected)
  if (other) return err(other)
  const { bytes } = read.value
  return changeSkillFile(
    storage,
    { skill: toChanged(found.skill), filePath },
    unlessChanged(bytes, path, () => ok(undefined)),
  )
}
