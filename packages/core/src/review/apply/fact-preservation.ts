/** Does a text hold the words of an entry? For finding the removals that belong to one merge; whether they may be carried out is not decided here. */
import { contentSequence, contentWords } from '../../text/content-words.ts'
import { NEGATIONS } from '../../text/negations.ts'
import { specificTokens } from '../../text/specific-tokens.ts'
import { spend } from '../../text/work-limit.ts'

const clausesOf = (text: string): readonly (readonly string[])[] =>
  text
    .split(/(?<![.;,!?()\n。；、，])[.;,!?()\n。；、，]+(?=\s|$)|[\n。；、，]/)
    .map(contentSequence)
    .filter((clause) => clause.length > 0)

const holdsRun = (words: readonly string[], run: readonly string[]): boolean =>
  words.some((_, start) =>
    run.every((word, offset) => {
      spend(30)
      return words[start + offset] === word
    }),
  )

/** Every clause of the entry stands in the text, its content words in their order; words that are new to the entry may stand between them. */
export const keepsFacts = (entry: string, text: string): boolean => {
  const known = contentWords(entry)
  const whole = contentSequence(text)
  spend(40 * whole.length)
  const kept = whole.filter((word) => known.has(word))
  const clauses = clausesOf(entry)
  return clauses.length > 0 && clauses.every((clause) => holdsRun(whole, clause) || holdsRun(kept, clause))
}

/** The text holds at least half of the entry's content words: a shorter way to say it, as far as words can tell. */
export const isAbout = (entry: string, text: string): boolean => {
  const [words, held] = [contentWords(entry), contentWords(text)]
  const shared = [...words].filter((word) => held.has(word)).length
  return shared > 0 && 2 * shared >= words.size
}

const countNegations = (text: string): number => contentSequence(text).filter((word) => NEGATIONS.has(word)).length

/** Does the text say nothing that is not in one of the entries: no word, no address, no number, and no negation more than they have? */
export const addsNothingTo = (entries: readonly string[], text: string): boolean => {
  const joined = entries.join('\n')
  const words = contentWords(joined)
  const known = specificTokens(joined)
  const { strong, numbers } = specificTokens(text)
  return (
    [...contentWords(text)].every((word) => words.has(word)) &&
    [...strong].every((token) => known.strong.has(token)) &&
    [...numbers].every((token) => known.numbers.has(token)) &&
    countNegations(text) <= countNegations(joined)
  )
}
