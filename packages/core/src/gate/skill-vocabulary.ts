/** Words by which any skill is laid out, whatever it is about: they need no source. None of them orders, allows or forbids anything. */
import { contentWords } from './content-words.ts'

/** Lay a skill out too, but only where they stand alone: as verbs they bind, and are not told apart once they are cut to their stems. */
export const SKILL_HEADINGS: ReadonlySet<string> = new Set(['requirement', 'requirements', 'following', 'the following'])

export const SKILL_LAYOUT: ReadonlySet<string> = contentWords(
  `skill skills name description category metadata overview usage use used uses using purpose goal summary introduction background context when
  step steps procedure procedures workflow process checklist guide prerequisites prerequisite notes note example examples pitfalls
  tips verification references reference first second third next finally finish`,
)
