/** What a change of a skill makes of its files, on documents as they were read, so that it can be planned again on fresher ones (reference skills-curator 6–8). Pure. */
import { equalBytes } from '../shared/equal-bytes.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { StoredDocument } from '../storage/storage-backend.ts'
import { findNewCredentials } from '../threats/credentials/find-credentials.ts'
import { checkNewSkill, checkSkillEdit } from './parse-skill-document.ts'
import { patchSkillText, type SkillPatch, type SkillPatchOutcome } from './patch/patch-skill.ts'
import { decodeSkillText, encodeSkillText, type SeenFile, toNamedFolder, toSeenFile } from './read-skill.ts'
import { SKILL_FILE, type SkillFolder, toDocumentPath } from './skill-discovery.ts'
import type { FoundSkill } from './skill-lookup.ts'
import { checkSkillCategory, checkSkillName } from './skill-name.ts'
import type { SkillOp } from './skill-op.ts'
import { checkSupportFilePath, checkSupportFileSize, supportFileMissing } from './support-file.ts'

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

type OpOf<Action extends SkillOp['action']> = Extract<SkillOp, { readonly action: Action }>

/** The operations on an existing skill. A host's code may also write bytes. */
export type SkillFileOp =
  | Exclude<SkillOp, { readonly action: 'create' | 'write_file' }>
  | (Omit<OpOf<'write_file'>, 'content'> & { readonly content: string | Uint8Array })

export interface SkillPlan extends Pick<SkillChange, 'strategy' | 'count'> {
  readonly op: OpOf<'create'> | SkillFileOp
  readonly skill: SkillChange['skill']
  /** Path inside the skill's folder. */
  readonly filePath: string
  /** The file as read; undefined if it does not exist yet. */
  readonly current: SeenFile | undefined
  /** The new content; undefined for an operation that writes none. */
  readonly next: Uint8Array | undefined
  /** Version of the SKILL.md; undefined for a new skill. */
  readonly skillVersion: string | undefined
}

export interface ExpectedVersion {
  /** The file's version as viewed, null for none: fails with `drift` if it has changed. Default: its version when the call begins. */
  readonly version?: string | null
}

/** Whether the name is free is not checked. */
export const planNewSkill = (op: OpOf<'create'>): Result<SkillPlan> => {
  const { name, content } = op
  const checkedName = checkSkillName(name)
  if (!checkedName.ok) return checkedName
  const checkedCategory = checkSkillCategory(op.category)
  if (!checkedCategory.ok) return checkedCategory
  const next = encodeSkillText(content, `${name}/${SKILL_FILE}`)
  if (!next.ok) return next
  const document = checkNewSkill(content, name)
  if (!document.ok) return document
  const category = checkedCategory.value
  const skill = { path: category === undefined ? name : `${category}/${name}`, folderName: name, category, name }
  return ok({ op, skill, filePath: SKILL_FILE, current: undefined, next: next.value, skillVersion: undefined })
}

// A copy: the caller may reuse its buffer while the file is being written.
const toBytes = (content: string | Uint8Array, path: string): Result<Uint8Array> =>
  ArrayBuffer.isView(content) ? ok(new Uint8Array(content)) : encodeSkillText(content, path)

const decode = (bytes: Uint8Array | undefined): string => (bytes && decodeSkillText(bytes)) ?? ''

const patchBytes = (path: string, before: Uint8Array | undefined, patch: SkillPatch): Result<SkillPatchOutcome> => {
  if (typeof patch.oldText !== 'string' || typeof patch.newText !== 'string') {
    const message = "A patch needs 'oldText' and 'newText', both of them text; an empty new text deletes the old one."
    return err(new HermesError('invalid', message))
  }
  const text = decodeSkillText(before ?? new Uint8Array())
  if (text !== undefined) return patchSkillText(text, patch)
  const message = `'${path}' is not text in UTF-8, so no part of it can be patched. Write the whole file instead.`
  return err(new HermesError('unreadable', message, { details: { path } }))
}

/** What the file holds after the operation, given what it holds before. Credentials are checked when it is written. Pure. */
export const nextContent = (
  op: SkillFileOp,
  { skill, filePath }: Pick<SkillPlan, 'skill' | 'filePath'>,
  before: Uint8Array | undefined,
): Result<Pick<SkillPlan, 'next' | 'strategy' | 'count'>> => {
  if (op.action === 'archive' || op.action === 'remove_file') return ok({ next: undefined })
  const path = toDocumentPath(skill, filePath)
  const written = op.action === 'patch' ? patchBytes(path, before, op) : ok({ result: op.content })
  if (!written.ok) return written
  const { result, ...found } = written.value
  const bytes = toBytes(result, path)
  if (!bytes.ok) return bytes
  const checked =
    filePath === SKILL_FILE
      ? checkSkillEdit(decode(before), decode(bytes.value), skill.folderName)
      : checkSupportFileSize(path, bytes.value, before)
  return checked.ok ? ok({ next: bytes.value, ...found }) : checked
}

/** The file that an operation is about; SKILL.md cannot be written or removed by its path. */
export const fileOf = (op: SkillFileOp): Result<string> => {
  const filePath = 'filePath' in op && op.filePath !== undefined ? op.filePath : SKILL_FILE
  const isSkill = filePath === SKILL_FILE && op.action !== 'write_file' && op.action !== 'remove_file'
  return isSkill ? ok(filePath) : checkSupportFilePath(filePath)
}

export interface PlannedOn {
  readonly found: FoundSkill
  /** The file that the operation is about, as it is now. */
  readonly file: StoredDocument | undefined
  readonly filePath: string
}

/** `not_found`, `invalid_path`, `invalid`, `over_limit`, errors of a patch; `drift` for another version than expected. */
export const planSkill = (op: SkillFileOp, { found, file, filePath }: PlannedOn, { version }: ExpectedVersion = {}): Result<SkillPlan> => {
  const path = toDocumentPath(found.skill, filePath)
  if (!file && op.action !== 'write_file') return err(supportFileMissing(found, filePath))
  if (file && filePath !== SKILL_FILE && equalBytes(file.bytes, found.skill.bytes)) {
    // A link to SKILL.md would overwrite the skill without its checks.
    const message = `'${path}' is a link to SKILL.md or a copy of it, so it was not changed. Patch the skill itself, or let a person remove that file.`
    return err(new HermesError('invalid_path', message, { details: { path } }))
  }
  const current = file && toSeenFile(file)
  const skill = toNamedFolder(found.skill)
  if (version !== undefined && (version ?? undefined) !== current?.version) return err(changedMeanwhile(path))
  const next = nextContent(op, { skill, filePath }, current?.bytes)
  return next.ok ? ok({ op, skill, filePath, current, skillVersion: found.skill.version, ...next.value }) : next
}

export const changedMeanwhile = (path: string): HermesError =>
  new HermesError('drift', `'${path}' was changed by another writer in the meantime. Nothing was written; view it again, then retry.`, {
    details: { path },
  })

/** `blocked` if the new bytes are text with a credential that the file did not hold; the message names its kind, never its value (DESIGN 5). */
export const findLeak = ({ skill, filePath, next }: SkillPlan, before: Uint8Array | undefined): HermesError | undefined => {
  const kinds = findNewCredentials(decode(before), decode(next))
  if (!kinds) return undefined
  const path = toDocumentPath(skill, filePath)
  const message =
    `'${path}' was not saved because it would hold ${kinds.join(' and ')}. Skills are sent to the model, so secrets are never kept in them: ` +
    'keep this one in a password manager, and write only where it is. For an example, write a placeholder such as <your key>.'
  return new HermesError('blocked', message, { details: { path, kinds } })
}
