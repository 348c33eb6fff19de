/** Which skill speaks of what is asked: the one whose name and description share the most words with it. */
import { keywords, sharedKeywords } from './keywords.ts'
import type { CatalogSkill } from './skill-catalog-block.ts'

/** `least`: so many words must be shared. Of two that share as many, the first. */
export const closestSkill = (text: string, skills: readonly CatalogSkill[], least: number): CatalogSkill | undefined => {
  const wanted = keywords(text)
  let best: { readonly skill: CatalogSkill; readonly score: number } | undefined
  for (const skill of skills) {
    const score = sharedKeywords(wanted, keywords(`${skill.name.replaceAll(/[-_.]/g, ' ')} ${skill.description}`))
    if (score >= least && score > (best?.score ?? 0)) best = { skill, score }
  }
  return best?.skill
}
