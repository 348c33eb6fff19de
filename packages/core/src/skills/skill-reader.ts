/** The skills an agent can read: those of its home, then those of shared storages that no skill of the home hides by name. */
import { HermesError } from '../shared/hermes-error.ts'
import { withLate } from '../shared/load-late.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { SharedSkills } from './shared-skills.ts'
import { type GlancedSkill, namesOf, type SkillSurvey } from './skill-index.ts'
import { byListOrder, type SkillListEntry, type SkillListing, toListing } from './skill-listing.ts'
import type { SkillFileView, SkillView } from './skill-view.ts'
import type { Layer, Layers, ReadInTime } from './view-skill.ts'

/** Reads skills and changes nothing. `SkillStore` reads those of one home. */
export interface SkillReader {
  /** Unreadable skills are listed in `problems`; unreadable shared storages too, with `details.sharedFrom`. */
  list(): Promise<Result<SkillListing>>
  /** Returns the skill, or with a `filePath` inside its folder that file. */
  view(target: string): Promise<Result<SkillView>>
  view(target: string, filePath: string): Promise<Result<SkillFileView>>
  view(target: string, filePath?: string): Promise<Result<SkillView | SkillFileView>>
}

interface OwnSkills {
  survey(): Promise<Result<SkillSurvey>>
  view(target: string, filePath?: string): Promise<Result<SkillView | SkillFileView>>
}

/** File systems that ignore case treat such names as one. */
const foldedNames = (skill: GlancedSkill): readonly string[] => [...namesOf(skill)].map((name) => name.toLowerCase())

const tooSlow = (): HermesError => new HermesError('timeout', 'it did not answer in time')

const failureOf = (sharedFrom: number, cause: HermesError): HermesError =>
  new HermesError(
    'unreadable',
    `The shared skills of skills.shared[${sharedFrom}] cannot be read, so they are left out: ${cause.message}`,
    {
      cause,
      details: { sharedFrom },
    },
  )

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
const layersOf = (own: SkillSurvey, surveys: readonly Result<SkillSurvey>[], shared: readonly SharedSkills[]): Layers => {
  const taken = new Set(own.skills.flatMap(foldedNames))
  const layers: Layer[] = []
  const failures: HermesError[] = []
  for (const [sharedFrom, source] of shared.entries()) {
    const survey = surveys[sharedFrom]
    if (!survey) continue
    if (!survey.ok) {
      failures.push(failureOf(sharedFrom, survey.error))
      continue
    }
    const skills = survey.value.skills.filter((skill) => !foldedNames(skill).some((name) => taken.has(name)))
    for (const name of skills.flatMap(foldedNames)) taken.add(name)
    layers.push({ ...survey.value, skills, source, sharedFrom })
  }
  return { own, layers, failures }
}

/** `shared`: an earlier storage takes precedence. If one fails, only its own skills are missing. */
export const sharingReader = (own: OwnSkills, shared: readonly SharedSkills[], inTime: ReadInTime = (work) => work): SkillReader => {
  const look = async (): Promise<Result<Layers>> => {
    const looks = shared.map(async (source) => (await inTime(source.survey())) ?? err(tooSlow()))
    const [surveyed, ...surveys] = await Promise.all([own.survey(), ...looks])
    return surveyed.ok ? ok(layersOf(surveyed.value, surveys, shared)) : surveyed
  }

  function view(target: string): Promise<Result<SkillView>>
  function view(target: string, filePath: string): Promise<Result<SkillFileView>>
  function view(target: string, filePath?: string): Promise<Result<SkillView | SkillFileView>>
  async function view(target: string, filePath?: string): Promise<Result<SkillView | SkillFileView>> {
    const viewed = await own.view(target, filePath)
    if (viewed.ok || shared.length === 0) return viewed
    return withLate(
      'The code that reads skills',
      () => import('./view-skill.ts'),
      ({ viewShared }) =>
        viewShared(
          { target, filePath, missing: viewed.error },
          { look, inTime, slow: ({ sharedFrom }) => failureOf(sharedFrom, tooSlow()) },
        ),
    )
  }

  return {
    list: async () => {
      const looked = await look()
      if (!looked.ok) return looked
      const { own: survey, layers, failures } = looked.value
      const mine = toListing(survey)
      const theirs = layers.map(listingOf)
      return ok({
        skills: [...mine.skills, ...theirs.flatMap(({ skills }) => skills).sort(byListOrder)],
        problems: [...mine.problems, ...failures, ...theirs.flatMap(({ problems }) => problems)],
      })
    },
    view,
  }
}
