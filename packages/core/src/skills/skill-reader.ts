/** The skills an agent can read: those of its home, then those of shared storages that no skill of the home hides by name. */
import { HermesError } from '../shared/hermes-error.ts'
import { withLazy } from '../shared/lazy.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { guardedBackend, type ReadInTime } from '../storage/guarded-backend.ts'
import type { Cut, ReadableStorage, StorageBackend } from '../storage/storage-backend.ts'
import {
  byListOrder,
  type GlancedSkill,
  namesOf,
  SkillIndex,
  type SkillListEntry,
  type SkillListing,
  type SkillSurvey,
  toListing,
} from './skill-index.ts'
import type { Layer, Layers, SharedLayers, SkillFileView, SkillView } from './skill-view.ts'

/** Reads skills and changes nothing. `SkillStore` reads those of one home. */
export interface SkillReader {
  /** Unreadable skills are listed in `problems`; unreadable shared storages too, with `details.sharedFrom`. `cut`: names `skills/`; its listing is taken. */
  list(cut?: Cut): Promise<Result<SkillListing>>
  /** Returns the skill, or with a `filePath` inside its folder that file. */
  view(target: string): Promise<Result<SkillView>>
  view(target: string, filePath: string): Promise<Result<SkillFileView>>
  view(target: string, filePath?: string): Promise<Result<SkillView | SkillFileView>>
}

/** Maximum number of skills of one shared storage. */
const MAX_SHARED_SKILLS = 1_000

/** Milliseconds after which an unfinished listing is not shared with new callers. */
const LOOK_LIMIT_MS = 60_000

/** The skills of one shared storage: read only, and indexed once per process for each storage object, whatever the number of homes. */
export class SharedSkills {
  readonly storage: ReadableStorage
  readonly #index: SkillIndex
  #underWay: Promise<Result<SkillSurvey>> | undefined

  constructor(backend: StorageBackend) {
    const { read, list } = guardedBackend(backend)
    this.storage = { read, list }
    this.#index = new SkillIndex(this.storage, { maxSkills: MAX_SHARED_SKILLS })
  }

  /** Concurrent callers share one listing. */
  survey(): Promise<Result<SkillSurvey>> {
    this.#underWay ??= this.#begin()
    return this.#underWay
  }

  #begin(): Promise<Result<SkillSurvey>> {
    const mine = this.#look()
    const end = () => {
      clearTimeout(timer)
      if (this.#underWay === mine) this.#underWay = undefined
    }
    const timer = setTimeout(end, LOOK_LIMIT_MS)
    // It does not keep the process alive, if the platform has such timers.
    if (typeof timer === 'object') timer.unref()
    void mine.then(end)
    return mine
  }

  async #look(): Promise<Result<SkillSurvey>> {
    try {
      return await this.#index.survey()
    } catch (cause) {
      return err(new HermesError('io', `searching them failed: ${String(cause)}`, { cause }))
    }
  }
}

const opened = new WeakMap<StorageBackend, SharedSkills>()

const openSharedSkills = (backend: StorageBackend): SharedSkills => {
  const known = opened.get(backend) ?? new SharedSkills(backend)
  opened.set(backend, known)
  return known
}

interface OwnAndShared extends Layers {
  readonly own: SkillSurvey
}

/** File systems that ignore case treat such names as one. */
const foldedNames = (skill: GlancedSkill): readonly string[] => [...namesOf(skill)].map((name) => name.toLowerCase())

const failureOf = (sharedFrom: number, cause: HermesError): HermesError =>
  new HermesError(
    'unreadable',
    `The shared skills of skills.shared[${sharedFrom}] cannot be read, so they are left out: ${cause.message}`,
    {
      cause,
      details: { sharedFrom },
    },
  )

const tooSlow = (sharedFrom: number): HermesError => failureOf(sharedFrom, new HermesError('timeout', 'it did not answer in time'))

/** True if a whole shared storage failed, not one skill in it. The message may name paths on the machine. */
export const isSharedFailure = ({ details }: HermesError): boolean => details['sharedFrom'] !== undefined && details['path'] === undefined

const problemOf = (sharedFrom: number, { code, message, cause, details }: HermesError): HermesError =>
  new HermesError(code, `Shared skills, skills.shared[${sharedFrom}]: ${message}`, { cause, details: { ...details, sharedFrom } })

const listingOf = ({ sharedFrom, ...survey }: Layer): SkillListing => {
  const { skills, problems } = toListing(survey)
  return {
    skills: skills.map((skill): SkillListEntry => ({ ...skill, sharedFrom })),
    problems: problems.map((problem) => problemOf(sharedFrom, problem)),
  }
}

/** Of two shared skills with one name, that of the earlier storage is used. */
const layersOf = (
  own: SkillSurvey,
  surveys: readonly (Result<SkillSurvey> | undefined)[],
  shared: readonly SharedSkills[],
): OwnAndShared => {
  const taken = new Set(own.skills.flatMap(foldedNames))
  const layers: Layer[] = []
  const failures: HermesError[] = []
  for (const [sharedFrom, { storage }] of shared.entries()) {
    const survey = surveys[sharedFrom]
    if (!survey?.ok) {
      failures.push(survey ? failureOf(sharedFrom, survey.error) : tooSlow(sharedFrom))
      continue
    }
    const skills = survey.value.skills.filter((skill) => !foldedNames(skill).some((name) => taken.has(name)))
    for (const name of skills.flatMap(foldedNames)) taken.add(name)
    layers.push({ ...survey.value, skills, storage, sharedFrom })
  }
  return { own, layers, failures }
}

/** The skills of a home and of shared storages behind them, of which an earlier one takes precedence. If one fails, only its own skills are missing. */
export class SharingReader implements SkillReader, SharedLayers {
  readonly #own: SkillReader
  readonly #index: SkillIndex
  readonly #shared: readonly SharedSkills[]
  readonly inTime: ReadInTime
  readonly tooSlow = tooSlow

  constructor(own: SkillReader, index: SkillIndex, shared: readonly StorageBackend[], inTime: ReadInTime = (work) => work) {
    this.#own = own
    this.#index = index
    this.#shared = shared.map(openSharedSkills)
    this.inTime = inTime
  }

  async look(cut?: Cut): Promise<Result<OwnAndShared>> {
    const looks = this.#shared.map((source) => this.inTime(source.survey()))
    const [own, surveys] = await Promise.all([this.#index.survey(cut), Promise.all(looks)])
    return own.ok ? ok(layersOf(own.value, surveys, this.#shared)) : own
  }

  async list(cut?: Cut): Promise<Result<SkillListing>> {
    const looked = await this.look(cut)
    if (!looked.ok) return looked
    const { own, layers, failures } = looked.value
    const mine = toListing(own)
    const theirs = layers.map(listingOf)
    return ok({
      skills: [...mine.skills, ...theirs.flatMap(({ skills }) => skills).sort(byListOrder)],
      problems: [...mine.problems, ...failures, ...theirs.flatMap(({ problems }) => problems)],
    })
  }

  view(target: string): Promise<Result<SkillView>>
  view(target: string, filePath: string): Promise<Result<SkillFileView>>
  view(target: string, filePath?: string): Promise<Result<SkillView | SkillFileView>>
  async view(target: string, filePath?: string): Promise<Result<SkillView | SkillFileView>> {
    const viewed = await this.#own.view(target, filePath)
    if (viewed.ok) return viewed
    return withLazy(
      'The code that reads skills',
      () => import('./skill-view.ts'),
      ({ viewShared }) => viewShared(this, viewed.error, target, filePath),
    )
  }
}
