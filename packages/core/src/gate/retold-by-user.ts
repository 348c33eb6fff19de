/**
 * A citation of the user whose words the statement does not repeat: he said it in other words, in another language or in the first person ("keep it short" and
 * "prefers concise answers"). What cannot be compared must not be in dispute either, so this asks that nothing else could be the source.
 */
import type { TranscriptMessage } from '../proposal/transcript.ts'
import { expressesWish } from './change-words.ts'
import { contentWords, subjectWords } from './content-words.ts'
import { coverWith } from './coverage.ts'
import { ECHOED, type Reading } from './source-reading.ts'
import { isErrand } from './statements.ts'
import { SUBSTANCE } from './substance.ts'
import { type OwnQuote, PLAIN } from './user-coverage.ts'

/** A citation of a task for this moment proves nothing beyond its own words. */
const retells = ({ quote, sentence }: OwnQuote, wanted: ReadonlySet<string>): boolean =>
  subjectWords(quote).size >= SUBSTANCE && (!isErrand(sentence.text) || coverWith(wanted, contentWords(quote)).share > 0)

/**
 * An order made of words that the user said of other things. It need not stand in the text from outside word for word, which may be in another language.
 */
export const isPicked = ({ isOrder, outsideInSight, user }: Reading): boolean => isOrder && outsideInSight && user.scattered

/** Nothing from outside says it, and it is no order that such a text may have placed in another language. */
const isUndisputed = ({ tool, isOrder, user, quotes }: Reading): boolean =>
  tool.share < ECHOED && (!isOrder || user.share >= PLAIN) && !quotes.some(({ message }) => message.origin === 'tool')

/** The message that was retold, or undefined. */
export const retoldByUser = (reading: Reading): TranscriptMessage | undefined => {
  const { user, tokens, outsideInSight, tool, wanted } = reading
  if (tokens !== 'user' || user.contradicted || isPicked(reading)) return undefined
  const apart = !outsideInSight && tool.share < ECHOED
  if (!apart && !isUndisputed(reading)) return undefined
  const wish = apart ? user.quotes.find(({ quote }) => expressesWish(quote, 'remember')) : undefined
  return (wish ?? user.quotes.find((own) => retells(own, wanted)))?.message
}
