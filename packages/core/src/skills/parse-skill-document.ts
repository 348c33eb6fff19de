/** The one parser of SKILL.md, for reading and writing. It contains a YAML parser, so code that every session needs uses `readSkillDocument`. */
import { readFrontMatter } from './front-matter/front-matter.ts'
import { splitSkillText } from './front-matter/front-matter-split.ts'
import { type SkillDocument, type SkillPlace, toSkillDocument } from './skill-document.ts'

/** Never fails: each fault is a diagnostic, and everything readable is returned. */
export const parseSkillDocument = (text: string, place: SkillPlace): SkillDocument => {
  const split = splitSkillText(text)
  return toSkillDocument({ text, ...split }, split.fault ? undefined : readFrontMatter(split.yaml), place)
}
