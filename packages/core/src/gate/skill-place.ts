/**
 * What a skill change shows to the agent besides its text: the name of a new category appears in every later system prompt, that of a new file in every view
 * of the skill. Pure.
 */
import type { SkillOp } from '../skills/skill-op.ts'
import { contentWords } from '../text/content-words.ts'
import { instructionLike } from './instruction-like.ts'

/** A name of at most this many words and characters only names a thing; a longer one makes a statement. */
const MOST_WORDS = 3
const MOST_CHARS = 40
const runTogether = /\S{21}/

/** The new category or file path as written. Undefined if the change creates none. `current`: the text of the file concerned, undefined if there is none. */
export const newPlace = (op: SkillOp, current: string | undefined): string | undefined => {
  if (op.action === 'create') return op.category
  return op.action === 'write_file' && current === undefined ? op.filePath : undefined
}

/** A name as the words that a reader sees, without the file extension and the support folder. */
export const wordsOfPlace = (place: string): string =>
  place
    .replace(/^(?:references|templates|scripts|assets)\//, '')
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replace(/[-_./\s]+/g, ' ')
    .trim()

/** The new place as a line that needs a source like every other; none if it only names a thing. */
export const saidByPlace = (op: SkillOp, current: string | undefined): readonly string[] => {
  const place = newPlace(op, current)
  if (place === undefined) return []
  const words = wordsOfPlace(place)
  const count = contentWords(words).size
  const isName = words.length <= MOST_CHARS && !runTogether.test(words) && count <= MOST_WORDS
  // A single verb, as in `publish.sh`, is a name.
  return isName && (count < 2 || instructionLike(words) === undefined) ? [] : [words]
}
