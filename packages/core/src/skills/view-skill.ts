/** Reads one skill: of a home, or the first of its name in shared storages. Loaded when a skill is first read. */
import type { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { ReadableStorage } from '../storage/storage-backend.ts'
import type { SharedSkills } from './shared-skills.ts'
import type { SkillIndex, SkillSurvey } from './skill-index.ts'
import { answersTo, checkSkillTarget, isSkillMissing, lookUpSkill, readFound } from './skill-lookup.ts'
import { type SkillFileView, type SkillView, toSkillView, viewSkillFile } from './skill-view.ts'

type Viewed = Result<SkillView | SkillFileView>

export const viewSkill = async (storage: ReadableStorage, index: SkillIndex, target: string, filePath?: string): Promise<Viewed> => {
  const found = await lookUpSkill(storage, index, target)
  if (!found.ok) return found
  return filePath === undefined ? ok(toSkillView(found.value)) : viewSkillFile(storage, found.value, filePath)
}

/** The skills read from one shared storage. */
export interface Layer extends SkillSurvey {
  readonly source: SharedSkills
  readonly sharedFrom: number
}

export interface Layers {
  readonly own: SkillSurvey
  readonly layers: readonly Layer[]
  /** One for each shared storage that could not be read. */
  readonly failures: readonly HermesError[]
}

/** Returns the result of a shared storage, or `undefined` after a timeout. */
export type ReadInTime = <T>(work: Promise<T>) => Promise<T | undefined>

export interface SharedView {
  readonly target: string
  readonly filePath: string | undefined
  /** Why the home's own store has no such skill. */
  readonly missing: HermesError
}

interface SharedSources {
  readonly look: () => Promise<Result<Layers>>
  readonly inTime: ReadInTime
  /** The error for a storage that did not answer in time. */
  readonly slow: (layer: Layer) => HermesError
}

const viewIn = async ({ source: { storage }, documents, skills, sharedFrom }: Layer, address: string, filePath: string | undefined) => {
  const folders = skills.filter((skill) => answersTo(skill, address)).map(({ folder }) => folder)
  if (folders.length === 0) return undefined
  const found = await readFound(storage, { documents, folders }, address)
  if (!found.ok) return found
  if (filePath === undefined) return ok({ ...toSkillView(found.value), sharedFrom })
  const file = await viewSkillFile(storage, found.value, filePath)
  return file.ok ? ok({ ...file.value, skill: { ...file.value.skill, sharedFrom } }) : file
}

/** Any other error than a missing skill is the answer. */
export const viewShared = async ({ target, filePath, missing }: SharedView, { look, inTime, slow }: SharedSources): Promise<Viewed> => {
  if (!isSkillMissing(missing)) return err(missing)
  const checked = checkSkillTarget(target)
  if (!checked.ok) return checked
  const looked = await look()
  if (!looked.ok) return looked
  for (const layer of looked.value.layers) {
    const viewed = await inTime(viewIn(layer, checked.value, filePath).then((view) => ({ view })))
    if (!viewed) return err(slow(layer))
    if (viewed.view) return viewed.view
  }
  const [failure] = looked.value.failures
  return err(failure ?? missing)
}
