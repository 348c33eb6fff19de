/** Finds skills that already do what a new skill would do, to avoid near duplicates. Pure. */
import { byCodeUnit } from '../storage/document-tree.ts'
import { countShared, overlapOf, toWords } from './word-tokens.ts'

export interface SkillSummary {
  readonly name: string
  readonly description: string
  /** Relative to the skills folder, such as `devops/deploy`. */
  readonly path: string
}

export interface SimilarSkill extends SkillSummary {
  /** Above 0, at most 1. */
  readonly score: number
}

const MAX_SIMILAR = 3

/** Maximum length compared. UTF-16 units. */
const MAX_COMPARED_CHARS = 1_024

interface Words {
  readonly joined: string
  readonly name: readonly string[]
  readonly description: readonly string[]
  readonly all: readonly string[]
}

const wordsOf = ({ name, description }: Pick<SkillSummary, 'name' | 'description'>): Words => {
  const inName = toWords(name.slice(0, MAX_COMPARED_CHARS))
  const inDescription = toWords(description.slice(0, MAX_COMPARED_CHARS))
  const joined = name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
  return { joined, name: inName, description: inDescription, all: [...new Set([...inName, ...inDescription])] }
}

/** 0 if the two are not near duplicates: one shared word is not enough, except as the whole name. */
const scoreOf = (a: Words, b: Words): number => {
  if (a.joined !== '' && a.joined === b.joined) return 1
  const name = overlapOf(a.name, b.name)
  const description = overlapOf(a.description, b.description)
  const all = overlapOf(a.all, b.all)
  const isSimilar =
    (name >= 0.75 && countShared(a.name, b.name) >= 2) ||
    (name >= 0.5 && description >= 0.3) ||
    (description >= 0.6 && countShared(a.description, b.description) >= 3) ||
    (all >= 0.5 && countShared(a.all, b.all) >= 4)
  return isSimilar ? Math.min(0.99, (name + description + all) / 3) : 0
}

/** Best first, at most three; independent of the order of the library. Unrelated skills are left out. */
export const findSimilarSkills = (
  candidate: Pick<SkillSummary, 'name' | 'description'>,
  skills: readonly SkillSummary[],
): readonly SimilarSkill[] => {
  const wanted = wordsOf(candidate)
  return skills
    .map(({ name, description, path }) => ({ name, description, path, score: scoreOf(wanted, wordsOf({ name, description })) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || byCodeUnit(a.path, b.path))
    .slice(0, MAX_SIMILAR)
}
