/** "Never delete the note on pnpm" holds every word of the wish that it goes, and is the opposite of it. Pure. */
import { normaliseText } from './normalise-text.ts'
import { sameSense } from './polarity.ts'
import { spend } from './work-limit.ts'

/** True where one of the verbs stands in the sentence under a negation. */
export const forbidsVerb = (sentence: string, verbs: RegExp): boolean => {
  const plain = normaliseText(sentence)
  spend(5_000 + 200 * plain.length)
  return [...plain.matchAll(new RegExp(verbs, 'gu'))].some(([verb]) => !sameSense(verb, plain))
}
