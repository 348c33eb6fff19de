/** The view of a skill: its SKILL.md with the list of its support files, or one file of its folder (reference skills-curator 3). Loaded when a skill is first read. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { ReadInTime } from '../storage/guarded-backend.ts'
import { readDocument } from '../storage/one-document.ts'
import type { ReadableStorage } from '../storage/storage-backend.ts'
import { checkStoragePath } from '../storage/storage-paths.ts'
import { decodeSkillText, toNamedFolder, toSeenFile } from './read-skill.ts'
import { findSupportFiles, SKILL_FILE, type SkillFolder, type SupportFolder, toDocumentPath } from './skill-discovery.ts'
import type { SkillDocument } from './skill-document.ts'
import type { SkillIndex, SkillSurvey } from './skill-index.ts'
import { answersTo, checkSkillTarget, type FoundSkill, isSkillMissing, lookUpSkill, readFound } from './skill-lookup.ts'
import { MAX_SUPPORT_FILE_BYTES, supportFileMissing } from './support-file.ts'

export interface SkillView extends SkillFolder {
  readonly name: string
  /** Position in `skills.shared` of the storage that holds it; absent for a skill of this home. */
  readonly sharedFrom?: number
  /** The whole SKILL.md. */
  readonly content: string
  readonly document: SkillDocument
  /** Paths inside the skill's folder; each can be viewed. */
  readonly linkedFiles: Readonly<Record<SupportFolder, readonly string[]>>
  /** Version of the SKILL.md, for `edit`; opaque. */
  readonly version: string
}

export interface SkillFileView {
  readonly skill: SkillFolder & { readonly name: string; readonly sharedFrom?: number }
  readonly filePath: string
  readonly bytes: Uint8Array
  /** `undefined` if the file is not UTF-8 text. */
  readonly content: string | undefined
  /** For `writeFile` and `removeFile`; opaque. */
  readonly version: string
}

const toSkillView = ({ skill, documents }: FoundSkill): SkillView => ({
  ...toNamedFolder(skill),
  content: skill.text,
  document: skill.document,
  linkedFiles: findSupportFiles(skill, documents),
  version: skill.version,
})

export const fileTooLarge = (path: string, size: number): HermesError =>
  new HermesError(
    'over_limit',
    `'${path}' has ${size} bytes, and files of a skill that are larger than ${MAX_SUPPORT_FILE_BYTES} bytes are not read. Other tools can use it where it is.`,
    { details: { path, bytes: size } },
  )

/**
 * Any file in the skill's folder, since skills from elsewhere have some outside the support folders. `invalid_path`, `not_found`,
 * `over_limit` for a file above the size limit.
 */
const viewSkillFile = async (storage: ReadableStorage, found: FoundSkill, filePath: string): Promise<Result<SkillFileView>> => {
  const { skill } = found
  const checked = checkStoragePath(filePath)
  if (!checked.ok) {
    const message = `That is not a file of the skill '${skill.path}'. Use a path inside its folder, such as 'references/api.md'.`
    return err(new HermesError('invalid_path', message, { cause: checked.error }))
  }
  const path = toDocumentPath(skill, filePath)
  const size = found.documents.find((document) => document.path === path)?.size ?? 0
  if (size > MAX_SUPPORT_FILE_BYTES) return err(fileTooLarge(path, size))
  const read = filePath === SKILL_FILE ? ok(skill) : await readDocument(storage, path)
  if (!read.ok) return read
  if (read.value) {
    const { bytes, version } = toSeenFile(read.value)
    return ok({ skill: toNamedFolder(skill), filePath, bytes, content: decodeSkillText(bytes), version })
  }
  return err(supportFileMissing(found, filePath))
}

type Viewed = Result<SkillView | SkillFileView>

export const viewSkill = async (storage: ReadableStorage, index: SkillIndex, target: string, filePath?: string): Promise<Viewed> => {
  const found = await lookUpSkill(storage, index, target)
  if (!found.ok) return found
  return filePath === undefined ? ok(toSkillView(found.value)) : viewSkillFile(storage, found.value, filePath)
}

/** The skills of one shared storage that no other hides by name. */
export interface Layer extends SkillSurvey {
  readonly storage: ReadableStorage
  readonly sharedFrom: number
}

export interface Layers {
  readonly layers: readonly Layer[]
  /** One for each shared storage that could not be read. */
  readonly failures: readonly HermesError[]
}

export interface SharedLayers {
  look(): Promise<Result<Layers>>
  readonly inTime: ReadInTime
  /** The error for a shared storage that did not answer in time. */
  tooSlow(sharedFrom: number): HermesError
}

const viewIn = async ({ storage, documents, skills, sharedFrom }: Layer, address: string, filePath: string | undefined) => {
  const folders = skills.filter((skill) => answersTo(skill, address)).map(({ folder }) => folder)
  if (folders.length === 0) return undefined
  const found = await readFound(storage, { documents, folders }, address)
  if (!found.ok) return found
  if (filePath === undefined) return ok({ ...toSkillView(found.value), sharedFrom })
  const file = await viewSkillFile(storage, found.value, filePath)
  return file.ok ? ok({ ...file.value, skill: { ...file.value.skill, sharedFrom } }) : file
}

/** `missing`: why the home's own store has no such skill; any other error of it is the answer. */
export const viewShared = async (
  shared: SharedLayers,
  missing: HermesError,
  target: string,
  filePath: string | undefined,
): Promise<Viewed> => {
  if (!isSkillMissing(missing)) return err(missing)
  const checked = checkSkillTarget(target)
  if (!checked.ok) return checked
  const looked = await shared.look()
  if (!looked.ok) return looked
  for (const layer of looked.value.layers) {
    const viewed = await shared.inTime(viewIn(layer, checked.value, filePath).then((view) => ({ view })))
    if (!viewed) return err(shared.tooSlow(layer.sharedFrom))
    if (viewed.view) return viewed.view
  }
  const [failure] = looked.value.failures
  return err(failure ?? missing)
}
