/** Computes what a skill change would do before the gate is asked: the file concerned and its new text. Writes nothing. */
import { nextSkillText } from '../../gate/skill-text.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok, type Result } from '../../shared/result.ts'
import { SKILL_FILE, type SkillFolder } from '../../skills/skill-discovery.ts'
import { parseSkillDocument } from '../../skills/skill-document.ts'
import { checkNewSkill, checkSkillEdit } from '../../skills/skill-document-check.ts'
import { isSkillMissing } from '../../skills/skill-lookup.ts'
import { checkSkillCategory, checkSkillName } from '../../skills/skill-name.ts'
import type { SkillOp } from '../../skills/skill-op.ts'
import { patchSkillText } from '../../skills/skill-patch.ts'
import type { SkillReader } from '../../skills/skill-reader.ts'
import type { SkillStore } from '../../skills/skill-store.ts'
import { encodeSkillText } from '../../skills/skill-text.ts'
import type { SkillView } from '../../skills/skill-view.ts'
import { checkSupportFilePath } from '../../skills/support-file-path.ts'
import { checkSupportFileSize } from '../../skills/support-file-size.ts'
import type { SkillDisposeDeps } from './dispose-deps.ts'

/** The current state of a file. */
export interface SeenFile {
  readonly text: string
  /** Opaque, from the storage. */
  readonly version: string
}

export interface SkillPlan {
  readonly op: SkillOp
  readonly skill: SkillFolder & { readonly name: string }
  /** Identifies this skill in the store, even if another has the same name. */
  readonly address: string
  /** Relative to the skill's folder. */
  readonly filePath: string
  /** The file concerned; undefined if it does not exist yet. */
  readonly current: SeenFile | undefined
  /** Version of the SKILL.md; undefined for a new skill. */
  readonly skillVersion: string | undefined
  /** The new text of the file; undefined for an operation that writes no text. */
  readonly next: string | undefined
  /** Number of places that a patch changes. */
  readonly places?: number
}

const addressOf = ({ path }: Pick<SkillFolder, 'path'>): string => `${path}/${SKILL_FILE}`

type OpOf<Action extends SkillOp['action']> = Extract<SkillOp, { readonly action: Action }>

const occupied = (name: string, where: string): HermesError => {
  const message = `A skill answers to the name '${name}' already (${where}). View it and patch it instead, or choose another name.`
  return new HermesError('occupied', message, { details: { name } })
}

const planCreate = async (op: OpOf<'create'>, store: SkillStore): Promise<Result<SkillPlan>> => {
  const name = checkSkillName(op.name)
  if (!name.ok) return name
  const category = checkSkillCategory(op.category)
  if (!category.ok) return category
  const document = checkNewSkill(op.content, op.name)
  if (!document.ok) return document
  const same = await store.view(op.name)
  if (same.ok) return err(occupied(op.name, same.value.path))
  if (same.error.code === 'ambiguous') return err(occupied(op.name, 'more than one'))
  if (same.error.code !== 'not_found') return same
  const path = category.value === undefined ? op.name : `${category.value}/${op.name}`
  return ok({
    op,
    skill: { name: op.name, path, folderName: op.name, category: category.value },
    address: addressOf({ path }),
    filePath: SKILL_FILE,
    current: undefined,
    skillVersion: undefined,
    next: op.content,
  })
}

/** The journal keeps previous contents as text, so a file that is not text could not be restored. */
const notText = (filePath: string, name: string): HermesError =>
  new HermesError(
    'unreadable',
    `'${filePath}' of the skill '${name}' is not text, so it could not be given back once changed. Use another file, or change that one by hand.`,
  )

const readFile = async (store: SkillStore, view: SkillView, filePath: string): Promise<Result<SeenFile | undefined>> => {
  if (filePath === SKILL_FILE) return ok({ text: view.content, version: view.version })
  const checked = checkSupportFilePath(filePath)
  if (!checked.ok) return checked
  const file = await store.view(addressOf(view), filePath)
  if (!file.ok) return file
  const { content, version } = file.value
  return content === undefined ? err(notText(filePath, view.name)) : ok({ text: content, version })
}

/** A skill may not be renamed: counts, pins and authorship are stored under its name. */
const renames = (view: SkillView, next: string): HermesError | undefined => {
  const { name } = parseSkillDocument(next, view)
  if (name === view.name) return undefined
  const message = `This would rename the skill '${view.name}' to '${name.slice(0, 80)}', and what is counted for it would be lost. Keep the name in the front matter; for another name create a new skill and archive this one.`
  return new HermesError('invalid', message, { details: { name: view.name } })
}

const checkSize = (path: string, next: string, before: string | undefined): Result<Uint8Array> => {
  const bytes = encodeSkillText(next, path)
  return bytes.ok ? checkSupportFileSize(path, bytes.value, before === undefined ? undefined : new TextEncoder().encode(before)) : bytes
}

const fileOf = (op: SkillOp): string => ('filePath' in op ? (op.filePath ?? SKILL_FILE) : SKILL_FILE)

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
    `The skill '${name}' is shared and only read here, so it stays as it is. To change it, create a skill of this name with the whole text: it takes the shared one's place.`,
    { details: { name } },
  )

const sharedAbsorber = ({ name }: SkillView): HermesError =>
  new HermesError('read_only', `The skill '${name}' is shared, so it absorbs none of this home. Archive without naming it.`, {
    details: { name },
  })

type Skills = Pick<SkillDisposeDeps, 'store' | 'reader'>

const checkAbsorber = async (op: SkillOp, { store, reader }: Skills, view: SkillView): Promise<Result<undefined>> => {
  if (op.action !== 'archive' || op.absorbedInto === undefined) return ok(undefined)
  const absorber = await store.view(op.absorbedInto)
  if (!absorber.ok) return err(await missingOrShared(op.absorbedInto, reader, absorber.error, sharedAbsorber))
  if (absorber.value.path !== view.path) return ok(undefined)
  return err(
    new HermesError('invalid', `The skill '${view.name}' cannot be absorbed into itself. Name the skill that holds its content now.`),
  )
}

/** Why the file may not hold this text, or undefined. */
const checkNext = (view: SkillView, filePath: string, next: string, current: SeenFile | undefined): HermesError | undefined => {
  const isSkill = filePath === SKILL_FILE
  const checked = isSkill ? checkSkillEdit(view.content, next, view.folderName) : checkSize(`${view.path}/${filePath}`, next, current?.text)
  if (!checked.ok) return checked.error
  return isSkill ? renames(view, next) : undefined
}

const patchOf = (op: SkillOp, current: SeenFile | undefined) =>
  op.action === 'patch' ? patchSkillText(current?.text ?? '', { ...op, replaceAll: op.replaceAll ?? false }) : undefined

/** The file concerned, or undefined if it would be new. SKILL.md cannot be written or removed by its path. */
const currentOf = async (op: SkillOp, store: SkillStore, view: SkillView): Promise<Result<SeenFile | undefined>> => {
  const filePath = fileOf(op)
  if (op.action === 'write_file' || op.action === 'remove_file') {
    const checked = checkSupportFilePath(filePath)
    if (!checked.ok) return checked
  }
  const read = await readFile(store, view, filePath)
  return !read.ok && op.action === 'write_file' && read.error.code === 'not_found' ? ok(undefined) : read
}

const planChange = async (op: Exclude<SkillOp, { action: 'create' }>, skills: Skills): Promise<Result<SkillPlan>> => {
  const { store, reader } = skills
  const viewed = await store.view(op.name)
  if (!viewed.ok) return err(await missingOrShared(op.name, reader, viewed.error, readOnly))
  const view = viewed.value
  const absorber = await checkAbsorber(op, skills, view)
  if (!absorber.ok) return absorber
  const current = await currentOf(op, store, view)
  if (!current.ok) return current
  const patched = patchOf(op, current.value)
  if (patched && !patched.ok) return patched
  const filePath = fileOf(op)
  const next = patched ? patched.value.result : nextSkillText(op, current.value?.text)
  const unfit = next === undefined ? undefined : checkNext(view, filePath, next, current.value)
  if (unfit) return err(unfit)
  const { name, path, folderName, category, version } = view
  return ok({
    op,
    skill: { name, path, folderName, category },
    address: addressOf(view),
    filePath,
    current: current.value,
    skillVersion: version,
    next,
    ...(patched ? { places: patched.value.count } : {}),
  })
}

/** Errors are the store's own (`not_found`, `ambiguous`, `occupied`, `invalid`, `unreadable`, patch errors), and `read_only` for a shared skill. */
export const planSkillChange = (op: SkillOp, skills: Skills): Promise<Result<SkillPlan>> =>
  op.action === 'create' ? planCreate(op, skills.store) : planChange(op, skills)
