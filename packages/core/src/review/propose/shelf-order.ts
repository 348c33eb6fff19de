/** Which skills a reviewer should see first: those that were loaded, then those that the conversation is about. Pure. */

import { byCodeUnit } from '../../storage/document-tree.ts'
import { subjectWords } from '../../text/content-words.ts'

interface Described {
  readonly name: string
  readonly description: string
  readonly path: string
}

export interface Placed<T> {
  readonly skill: T
  readonly loaded: boolean
  /** Loaded, or about what the conversation is about. */
  readonly relevant: boolean
}

/** A single word in common says little, unless it is half of what the skill says of itself. */
const MIN_COMMON_WORDS = 2

/** `loaded`: names, oldest first. The newest loaded first; the rest by how much of their names and descriptions was talked about, then by path. */
export const shelfOrder = <T extends Described>(
  skills: readonly T[],
  loaded: readonly string[],
  conversation: string,
): readonly Placed<T>[] => {
  const said = subjectWords(conversation)
  return skills
    .map((skill) => {
      const words = [...subjectWords(`${skill.name} ${skill.description}`)]
      const common = words.filter((word) => said.has(word)).length
      const loadedAt = loaded.lastIndexOf(skill.name)
      const isAbout = common >= MIN_COMMON_WORDS || (common > 0 && common * 2 >= words.length)
      return { placed: { skill, loaded: loadedAt >= 0, relevant: loadedAt >= 0 || isAbout }, loadedAt, common }
    })
    .sort((a, b) => b.loadedAt - a.loadedAt || b.common - a.common || byCodeUnit(a.placed.skill.path, b.placed.skill.path))
    .map(({ placed }) => placed)
}
