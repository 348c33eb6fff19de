/** "Always check the production db" has all but one word of "always delete the production db", and that one is the whole difference. Pure. */
import { contentWords } from './content-words.ts'
import { ORDERING_VERBS } from './instruction-words.ts'

/** Say little by themselves, so another verb in their place says no other thing; or deny, which polarity asks about. */
const LIGHT = contentWords(
  'use do make keep get go put take have give let set add avoid omit skip stop prefer start show tell answer reply speak',
)
const MORE = 'review inspect audit archive backup monitor clean purge wipe erase destroy encrypt cancel sell buy leak publish'
const VERBS: ReadonlySet<string> = new Set([...contentWords(`${ORDERING_VERBS.join(' ')} ${MORE}`)].filter((word) => !LIGHT.has(word)))

const verbsOnlyIn = (words: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...words].some((word) => VERBS.has(word) && !others.has(word))

/**
 * True where the statement orders something with a verb that nobody said, in the place of a verb that was said. `said`: the content words of sentences about
 * the same thing.
 */
export const exchangesVerb = (statement: ReadonlySet<string>, said: readonly ReadonlySet<string>[]): boolean => {
  const heard = new Set(said.flatMap((words) => [...words]))
  return said.length > 0 && verbsOnlyIn(statement, heard) && said.every((words) => verbsOnlyIn(words, statement))
}
