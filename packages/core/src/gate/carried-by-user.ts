/** Did the user say a statement? For the agent's own calls, which cite nothing. What is put together from several messages was said by nobody. */
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import { contentSequence, contentWords } from '../text/content-words.ts'
import { NEGATIONS } from '../text/negations.ts'
import { normalisedMessage } from '../text/normalise-text.ts'
import { sentencesOf } from '../text/sentences.ts'
import { holdsToken, specificTokens } from '../text/specific-tokens.ts'
import { spend } from '../text/work-limit.ts'

/** The newest message of the user's that holds every word of it, inflection aside. Negations count as words; addresses, commands and numbers must be there as they are. */
export const carriedByUser = (statement: string, transcript: Transcript): TranscriptMessage | undefined => {
  const words = [...contentWords(statement)]
  if (words.length === 0) return undefined
  const { strong, numbers } = specificTokens(statement)
  const tokens = [...strong, ...numbers]
  return transcript.findLast((message) => {
    if (message.origin !== 'user') return false
    const said = contentWords(message.text)
    return words.every((word) => said.has(word)) && tokens.every((token) => holdsToken(normalisedMessage(message), token))
  })
}

/** Where the words stand in a row; -1 for nowhere. */
const indexOfRow = (words: readonly string[], said: readonly string[]): number => {
  spend(20 * said.length * Math.min(words.length, 4))
  return said.findIndex((_, start) => words.every((word, index) => said[start + index] === word))
}

const isSaidIn = (words: readonly string[], sentence: string): boolean => {
  const said = contentSequence(sentence)
  const start = indexOfRow(words, said)
  if (start < 0) return false
  return ![...said.slice(0, start), ...said.slice(start + words.length)].some((word) => NEGATIONS.has(word))
}

/**
 * The same behind text from outside, where the user's words may have been put in another order to say what the outside text says: they stand in a row in one sentence, and
 * none beside them denies it.
 */
export const saidByUser = (statement: string, transcript: Transcript): TranscriptMessage | undefined => {
  const words = contentSequence(statement)
  const carrier = words.length === 0 ? undefined : carriedByUser(statement, transcript)
  if (!carrier) return undefined
  return transcript.findLast(({ origin, text }) => origin === 'user' && sentencesOf(text).some((sentence) => isSaidIn(words, sentence)))
}
