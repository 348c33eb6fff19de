/** What `skills_list` answers. Loaded with the first call of the tool. */
import { byCodeUnit } from '../storage/document-tree.ts'
import type { SkillState } from '../usage/usage-record.ts'
import { cutText, findingsIn, shownText } from './describe-failure.ts'
import type { ListedSkill, ListedSkills } from './skill-tool-effects.ts'
import type { ToolRefusal } from './tool-definition.ts'

// The result: JSON for the model, typed for hosts that show tool calls to a person.

type ListedSkillResult = {
  readonly name: string
  readonly category?: string
  readonly description: string
  /** Absent for an active skill. */
  readonly state?: SkillState
  /** It can be loaded but not changed. */
  readonly shared?: true
}

type SkillListSuccess = {
  readonly success: true
  readonly count: number
  readonly skills: readonly ListedSkillResult[]
  readonly message?: string
  /** Number of skills by category, if not all are listed. */
  readonly categories?: Readonly<Record<string, number>>
  readonly more_names?: readonly string[]
  readonly problems?: readonly string[]
}

export type SkillListToolResult = SkillListSuccess | ToolRefusal

/** Maximum number of skills in one answer; further skills of a category are listed by name only. */
const MAX_LISTED_SKILLS = 200
const MAX_NAMES = 1_000
const MAX_PROBLEMS = 20
/** Maximum code points of a description; the full one is shown with the skill. */
const MAX_DESCRIPTION_CHARS = 200

/** The category under which skills without one are listed and requested; not a valid folder name. */
const NO_CATEGORY = '(none)'

const categoryOf = ({ category }: ListedSkill): string => category ?? NO_CATEGORY

/** Shared skills last, so that they do not displace others. */
const inOrder = (a: ListedSkill, b: ListedSkill): number =>
  Number(a.shared ?? false) - Number(b.shared ?? false) || byCodeUnit(a.category ?? '', b.category ?? '') || byCodeUnit(a.name, b.name)

const toEntry = ({ name, description, category, state, shared = false }: ListedSkill): ListedSkillResult => ({
  name,
  ...(category === undefined ? {} : { category }),
  description: shownText(cutText(description, MAX_DESCRIPTION_CHARS)),
  ...(state === 'active' ? {} : { state }),
  ...(shared ? { shared } : {}),
})

const countByCategory = (skills: readonly ListedSkill[]): Readonly<Record<string, number>> => {
  const counts = new Map<string, number>()
  for (const skill of skills) counts.set(categoryOf(skill), (counts.get(categoryOf(skill)) ?? 0) + 1)
  return Object.fromEntries(counts)
}

/** Skills with findings in their names are dropped: a placeholder could not be loaded by name. */
const withoutPoisonedNames = (skills: readonly ListedSkill[]) => {
  const clean = skills.filter((skill) => findingsIn(`${categoryOf(skill)}\n${skill.name}`).length === 0)
  const left = skills.length - clean.length
  const problem = `${left} skill${left === 1 ? ' is' : 's are'} left out: the threat scan found something in the name. Tell the user to look at the names in the skill library.`
  return { clean, problems: left === 0 ? [] : [problem] }
}

/** `category`: blank for all; includes subcategories (`ops` includes `ops/cloud`). */
export const describeSkillList = ({ skills, problems }: ListedSkills, category: string): SkillListSuccess => {
  const wanted = category.trim().replace(/\/+$/, '')
  const isWanted = (skill: ListedSkill): boolean =>
    wanted === '' || categoryOf(skill) === wanted || (skill.category?.startsWith(`${wanted}/`) ?? false)
  const { clean, problems: leftOut } = withoutPoisonedNames(skills)
  const found = clean.filter(isWanted).sort(inOrder)
  const shown = found.slice(0, MAX_LISTED_SKILLS)
  const others = found.slice(MAX_LISTED_SKILLS)
  const told = [...leftOut, ...problems.map(shownText)].slice(0, MAX_PROBLEMS)
  return {
    success: true,
    count: found.length,
    skills: shown.map(toEntry),
    ...(others.length > 0 ? describeRest(others, found, wanted) : {}),
    ...(found.length === 0 ? describeNothing(clean, wanted) : {}),
    ...(told.length > 0 ? { problems: told } : {}),
  }
}

const describeRest = (others: readonly ListedSkill[], found: readonly ListedSkill[], wanted: string): Partial<SkillListSuccess> => {
  if (wanted !== '') {
    const names = others.slice(0, MAX_NAMES).map(({ name }) => name)
    return {
      more_names: names,
      message: `These are ${MAX_LISTED_SKILLS} of ${found.length}; more_names has the next. Load one to read about it.`,
    }
  }
  const message = `These are ${MAX_LISTED_SKILLS} of ${found.length}. For the others list one category at a time.`
  return { categories: countByCategory(found), message }
}

const describeNothing = (clean: readonly ListedSkill[], wanted: string): Partial<SkillListSuccess> =>
  clean.length === 0
    ? { message: 'There are no skills yet.' }
    : { message: `There is no category '${wanted.slice(0, 80)}'.`, categories: countByCategory(clean) }
