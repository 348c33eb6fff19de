/** One row of a skill, as prompt, tools, command line and inspector list it: what it is for, and how it was used. */
import { ok, type Result } from '../shared/result.ts'
import type { Cut } from '../storage/storage-backend.ts'
import type { SkillListEntry, SkillListing } from './skill-index.ts'

/** What a usage record says in a row. Times in epoch milliseconds; 0 = never, or unknown. */
interface SkillFigures {
  readonly pinned: boolean
  readonly useCount: number
  readonly viewCount: number
  readonly patchCount: number
  readonly successCount: number
  readonly correctionCount: number
  readonly failureCount: number
  readonly repairCount: number
  /** It failed again after two repairs: a person should look at it. */
  readonly failing: boolean
  readonly createdBy: string | null
  readonly createdByModel: string | null
  readonly patchedByModel: string | null
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly lastActivityAt: number
  /** See `readUsesByDay`. */
  readonly usesByDay?: string
  /** The project that it was learned in. */
  readonly project?: string
}

type Described = Pick<SkillListEntry, 'name' | 'path' | 'category' | 'description' | 'diagnostics'>

export interface SkillRow extends Described, SkillFigures {
  readonly state: 'active' | 'stale'
  /** From a shared storage: it can be read but not changed, and its use is not counted. */
  readonly shared: boolean
}

/** A usage record. */
type RecordOfSkill = SkillFigures & { readonly state: 'active' | 'stale' | 'archived' }

const NO_RECORD: RecordOfSkill = {
  state: 'active',
  pinned: false,
  useCount: 0,
  viewCount: 0,
  patchCount: 0,
  successCount: 0,
  correctionCount: 0,
  failureCount: 0,
  repairCount: 0,
  failing: false,
  createdBy: null,
  createdByModel: null,
  patchedByModel: null,
  createdAt: 0,
  lastUsedAt: 0,
  lastActivityAt: 0,
}

const FIGURES = Object.keys(NO_RECORD).filter((key) => key !== 'state') as (keyof SkillFigures)[]

/** `record`: of its name. The row of a shared skill has none: a record of that name belongs to a skill of this home, such as an archived one. */
export const toSkillRow = (skill: Described & Pick<SkillListEntry, 'sharedFrom'>, record: RecordOfSkill | undefined): SkillRow => {
  const { name, path, category, description, diagnostics, sharedFrom } = skill
  const shared = sharedFrom !== undefined
  const known = (shared ? undefined : record) ?? NO_RECORD
  return {
    name,
    path,
    category,
    description,
    diagnostics,
    shared,
    ...(Object.fromEntries(FIGURES.map((key) => [key, known[key]])) as unknown as SkillFigures),
    ...(known.usesByDay === undefined ? {} : { usesByDay: known.usesByDay }),
    ...(known.project === undefined ? {} : { project: known.project }),
    // Its folder exists, so it is not archived, whatever its record says: one that was restored and not used since still has the old state.
    state: known.state === 'active' ? 'active' : 'stale',
  }
}

/** Every skill of a list as a row, and the problems of the list. */
export interface SkillRows {
  /** In the order of the list. */
  readonly skills: readonly SkillRow[]
  readonly problems: SkillListing['problems']
}

/** Without `usage`, nothing counts as used. `cut`: names `skills/` and the usage sidecar. */
export const readSkillRows = async (
  reader: { list(cut?: Cut): Promise<Result<SkillListing>> },
  usage: { all(cut?: Cut): Promise<ReadonlyMap<string, RecordOfSkill>> } | undefined,
  cut?: Cut,
): Promise<Result<SkillRows>> => {
  const [listed, records] = await Promise.all([reader.list(cut), usage?.all(cut)])
  if (!listed.ok) return listed
  const { skills, problems } = listed.value
  return ok({ skills: skills.map((skill) => toSkillRow(skill, records?.get(skill.name))), problems })
}
