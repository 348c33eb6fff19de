/** Reads a SKILL.md with as little code as it needs. */
import { withLate } from '../shared/load-late.ts'
import { ok, type Result } from '../shared/result.ts'
import { readSimpleFrontMatter } from './front-matter/front-matter-plain.ts'
import { splitSkillText } from './front-matter/front-matter-split.ts'
import { type SkillDocument, type SkillPlace, toSkillDocument } from './skill-document.ts'

/** As `parseSkillDocument`, which is loaded only for front matter that needs a YAML parser: that is much code, and few skills need it. */
export const readSkillDocument = async (text: string, place: SkillPlace): Promise<Result<SkillDocument>> => {
  const split = splitSkillText(text)
  const frontMatter = split.fault ? undefined : readSimpleFrontMatter(split.yaml)
  if (split.fault || frontMatter) return ok(toSkillDocument({ text, ...split }, frontMatter, place))
  return withLate(
    'The YAML parser',
    () => import('./parse-skill-document.ts'),
    async ({ parseSkillDocument }) => ok(parseSkillDocument(text, place)),
  )
}
