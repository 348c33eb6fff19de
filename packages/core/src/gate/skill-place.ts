/**
 * What a change of a skill puts in front of the agent beside its text: the name of a new category stands in every later system prompt, that of a new file in every
 * view of the skill. Pure.
 */
import type { SkillOp } from '../skills/skill-op.ts'
import { contentWords } from '../text/content-words.ts'
import { instructionLike } from './instruction-like.ts'

/** So many words name a thing; more of them, or longer ones, say something about it. */
const MOST_WORDS = 3
const MOST_CHARS = 40
const runTogether = /\S{21}/

/** As it is written. Undefined where the change makes no new place; `current`: the text of the file concerned, undefined for none. */
export const newPlace = (op: SkillOp, current: string | undefined): string | undefined => {
  if (op.action === 'create') return op.category
  return op.action === 'write_file' && current === undefined ? op.filePath : undefined
}

/** A name as the words that a reader sees in it; without the ending of a file, and without the support folder it lies in. */
export const wordsOfPlace = (place: string): string =>
  place
    .replace(/^(?:references|templates|scripts|assets)\//, '')
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replace(/[-_./\s]+/g, ' ')
    .trim()

/** The new place as a line that needs a source like every other; none where it only names a thing. */
export const saidByPlace = (op: SkillOp, current: string | undefined): readonly string[] => {
  const words = wordsOfPlace(newPlace(op, current) ?? '')
  const count = contentWords(words).size
  const isName = words.length <= MOST_CHARS && !runTogether.test(words) && count <= MOST_WORDS
  // One verb alone, as in `publish.sh`, is the name of what it does.
  return isName && (count < 2 || instructionLike(words) === undefined) ? [] : [words]
}
