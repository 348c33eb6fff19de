/**
 * Did the user ask that an entry goes? He says "forget" and names one of its words; or he says that something is gone, wrong or different now and names at
 * least two of its words, or half of them. Modest on purpose: what is not understood waits for a person.
 */
import type { Transcript, TranscriptMessage } from '../proposal/transcript.ts'
import { expressesWish } from './change-words.ts'
import { contentWords } from './content-words.ts'
import { sentencesOf } from './sentences.ts'
import { isTurnTainted } from './turn-taint.ts'

const sharedWords = (entry: ReadonlySet<string>, text: string): number => [...contentWords(text)].filter((word) => entry.has(word)).length

const asks = (sentence: string, entry: ReadonlySet<string>): boolean => {
  const shared = sharedWords(entry, sentence)
  if (shared === 0) return false
  if (expressesWish(sentence, 'forget')) return true
  return (shared >= 2 || shared >= entry.size / 2) && expressesWish(sentence, 'change')
}

const ownMessages = (transcript: Transcript): Transcript => transcript.filter((message) => message.origin === 'user')

/** The message in which the user asked, or undefined. */
export const findAskedRemoval = (entry: string, transcript: Transcript): TranscriptMessage | undefined => {
  const words = contentWords(entry)
  return ownMessages(transcript).findLast((message) => sentencesOf(message.text).some((sentence) => asks(sentence, words)))
}

/**
 * The same for the agent's own call with the user present: naming a word of the entry, or wishing something forgotten in the last message, is enough, as
 * long as no text from outside stands in the turn.
 */
export const findAttendedRemoval = (entry: string, transcript: Transcript): TranscriptMessage | undefined => {
  const asked = findAskedRemoval(entry, transcript)
  if (asked !== undefined || isTurnTainted(transcript)) return asked
  const words = contentWords(entry)
  const own = ownMessages(transcript)
  const last = own.at(-1)
  if (last && (expressesWish(last.text, 'forget') || expressesWish(last.text, 'change'))) return last
  return own.findLast((message) => sharedWords(words, message.text) > 0)
}
