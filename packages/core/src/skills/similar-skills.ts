/** Finds skills that already do what a new skill would do, by their words in any script, to avoid near duplicates. Pure. */
import { byCodeUnit } from '../storage/document-tree.ts'

/** Grammar words of common languages, and words found in every description of a skill. */
const GRAMMAR = new Set(
  `a an and any are as at be before after by can do does for from has have how i if in into is it its more no not of on one or other our so
  some such than that the their them then there these this to too up use used uses using via was we what when where which while who will with
  you your skill skills task tasks user users guide workflow
  der die das den dem des ein eine einen einem einer und oder mit von fur auf aus bei im in ist zu zum zur wie wenn nach uber als auch
  le la les un une des du de et ou avec pour dans sur par est que qui quand au aux en comment
  el los las una del y o con para por es como cuando al se su
  il lo gli i di e da per che si um uma os as do dos das no na nos em com`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/** Scripts without spaces between words: pairs of neighbouring characters count as words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const run =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{M}]+|[\p{L}\p{N}\p{M}]+/gu

const pairsOf = (text: string): readonly string[] => {
  const chars = [...text]
  return chars.length < 2 ? chars : chars.slice(1).map((char, index) => `${chars[index]}${char}`)
}

/** Unique words in order of appearance; lower case, without diacritics. */
const toWords = (text: string): readonly string[] => {
  // A word with Latin and Han characters, such as `PDF文件`, counts as both.
  const apart = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(new RegExp(`(?<=${unspaced.source})(?=[a-z0-9])|(?<=[a-z0-9])(?=${unspaced.source})`, 'gu'), ' ')
  const words = [...apart.matchAll(run)].flatMap(([word]) => (unspaced.test(word) ? pairsOf(word) : [word]))
  return [...new Set(words)].filter((word) => !GRAMMAR.has(word))
}

const MIN_STEM = 4
const MAX_ENDING = 4

const sharedStart = (a: string, b: string): number => {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

/** Minimum share of equal leading letters, for scripts with inflected endings. */
const STEM_SHARE = 0.6

/** Equal words, or words that differ in their ending: `deploy` and `deployment`, `query` and `queries`. */
const isSameWord = (a: string, b: string): boolean => {
  if (a === b) return true
  if (!/[a-z0-9]/.test(a + b)) {
    const shared = sharedStart(a, b)
    return shared >= MIN_STEM && shared >= STEM_SHARE * Math.max(a.length, b.length)
  }
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  const stem = /[ey]$/.test(short) ? short.slice(0, -1) : short
  return stem.length >= MIN_STEM && long.length - short.length <= MAX_ENDING && long.startsWith(stem) && /^\p{L}+$/u.test(long)
}

/** The number of words of `a` with a distinct partner in `b`. */
const countShared = (a: readonly string[], b: readonly string[]): number => {
  const left = [...b]
  let shared = 0
  for (const word of a) {
    const exact = left.indexOf(word)
    const at = exact >= 0 ? exact : left.findIndex((other) => isSameWord(word, other))
    if (at < 0) continue
    left.splice(at, 1)
    shared++
  }
  return shared
}

/** Dice coefficient: 0 for nothing in common, 1 for the same words; 0 for two empty texts. */
const overlapOf = (a: readonly string[], b: readonly string[]): number =>
  a.length + b.length === 0 ? 0 : (2 * countShared(a, b)) / (a.length + b.length)

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
